/** A series as a row of bars. */

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** The scale goes from 0 to the highest value, so that bars compare as the values do. Longer series are averaged. */
export function sparkline(values: readonly number[], width: number): string {
  const shown = averaged(values, width);
  const max = Math.max(0, ...shown);
  return shown.map((value) => BARS[max > 0 ? Math.round((value / max) * (BARS.length - 1)) : 0]).join('');
}

/** At most `width` means of neighbours. */
function averaged(values: readonly number[], width: number): readonly number[] {
  if (values.length <= width) return values;
  return Array.from({ length: width }, (_, at) => {
    const part = values.slice(Math.floor((at * values.length) / width), Math.floor(((at + 1) * values.length) / width));
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  });
}
