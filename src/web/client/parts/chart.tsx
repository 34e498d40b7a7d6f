/** Lines over time, on a canvas. For those who cannot see it, a sentence says what it shows. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { formatBytes, formatPercent, formatSignificant } from '../../../base/units.ts';
import type { ChartData } from '../../api.ts';

/** Okabe and Ito's, which people with any colour vision can tell apart: by custom property, for light and dark. */
const COLOURS = ['--line-1', '--line-2', '--line-3', '--line-4', '--line-5', '--line-6'];
const HEIGHT_PX = 190;
const AXIS_WIDTH_PX = 64;
const TIME_AXIS_HEIGHT_PX = 28;
/** All charts of one page move their cross-hairs together. */
const CURSORS = 'run';
/** Steps of an axis of bytes, up to a pebibyte. */
const POWERS_OF_TWO = Array.from({ length: 51 }, (_, exponent) => 2 ** exponent);

export function Chart({ chart }: { readonly chart: ChartData }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const kind = `${chart.unit} ${chart.lines.map(({ name }) => name).join()}`;
  // A chart of other lines is another chart; other points are not.
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const draw = () => {
      plot.current?.destroy();
      plot.current = new uPlot(optionsFor(chart, element), dataOf(chart), element);
    };
    draw();
    const resized = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: HEIGHT_PX }));
    resized.observe(element);
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      scheme.removeEventListener('change', draw);
      resized.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [kind]);
  useEffect(() => {
    plot.current?.setData(dataOf(chart));
  }, [chart]);
  return (
    <figure class="chart">
      <figcaption>
        <span class="title">{chart.title}</span>
        {unitWord(chart.unit) !== '' && <span class="unit">{unitWord(chart.unit)}</span>}
        {chart.lines.length > 1 && (
          <span class="legend">
            {chart.lines.map(({ name }, at) => (
              <span key={name}>
                <i class={`swatch line-${(at % COLOURS.length) + 1}`} aria-hidden="true" />
                {name}
              </span>
            ))}
          </span>
        )}
      </figcaption>
      <div class="plot" ref={place} role="img" aria-label={inWords(chart)} />
    </figure>
  );
}

function dataOf({ atS, lines }: ChartData): uPlot.AlignedData {
  return [atS as number[], ...lines.map(({ points }) => points as (number | null)[])];
}

function optionsFor({ lines, unit }: ChartData, element: HTMLElement): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--quiet'),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: colour('--rule'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    padding: [8, 20, 0, 0],
    legend: { show: false },
    cursor: { sync: { key: CURSORS }, drag: { x: true, y: false }, points: { size: 6 } },
    scales: { x: { time: false }, y: { range: (_, low, high) => rangeFor(low, high) } },
    axes: [
      { ...axis, size: TIME_AXIS_HEIGHT_PX, values: (_, ticks) => ticks.map((tick) => `${tick} s`), space: 60 },
      {
        ...axis,
        ...(unit.startsWith('bytes') ? { incrs: POWERS_OF_TWO } : {}),
        size: AXIS_WIDTH_PX,
        values: (_, ticks) => ticks.map((tick) => tickText(tick, unit)),
        space: 36,
      },
    ],
    series: [
      {},
      ...lines.map(({ name }, at) => ({
        label: name,
        stroke: colour(COLOURS[at % COLOURS.length] ?? ''),
        width: 1.5,
        points: { show: false },
      })),
    ],
    plugins: [tip(lines, unit)],
  };
}

/** From zero: half a scale makes a mountain of a ripple. */
function rangeFor(low: number | null, high: number | null): [number, number] {
  const top = high === null || !(high > 0) ? 1 : high * 1.08;
  return [Math.min(0, low ?? 0), top];
}

function tickText(value: number, unit: string): string {
  if (unit === 'ratio') return `${Number((value * 100).toPrecision(3))} %`;
  if (unit.startsWith('bytes')) return formatBytes(value);
  if (value >= 10_000) return `${Number((value / 1_000).toPrecision(4))} k`;
  return String(Number(value.toPrecision(4)));
}

export function valueText(value: number, unit: string): string {
  if (unit === 'ratio') return formatPercent(value);
  if (unit === 'bytes' || unit === 'bytes/s') return formatBytes(value) + unit.slice('bytes'.length);
  return `${formatSignificant(value)} ${unitWord(unit)}`.trimEnd();
}

function unitWord(unit: string): string {
  if (unit === '1/s') return 'per second';
  return unit === 'ratio' || unit === 'count' || unit.startsWith('bytes') ? '' : unit;
}

/** What the lines are at the place of the pointer. */
function tip(lines: ChartData['lines'], unit: string): uPlot.Plugin {
  const box = document.createElement('div');
  box.className = 'tip';
  return {
    hooks: {
      init: (plot) => void plot.over.append(box),
      setCursor: (plot) => {
        const { idx, left = -1 } = plot.cursor;
        box.hidden = idx === null || idx === undefined || left < 0;
        if (box.hidden || idx === null || idx === undefined) return;
        const atS = plot.data[0][idx] ?? 0;
        const rows = lines.map(({ name }, at) => ({ name, value: plot.data[at + 1]?.[idx] }));
        box.replaceChildren(
          line('', `${formatSignificant(atS)} s`),
          ...rows.map(({ name, value }, at) =>
            line(
              `swatch line-${(at % COLOURS.length) + 1}`,
              `${lines.length > 1 ? `${name} ` : ''}${value === null || value === undefined ? '-' : valueText(value, unit)}`,
            ),
          ),
        );
        box.classList.toggle('leftwards', left > plot.over.clientWidth / 2);
        box.style.left = `${left}px`;
      },
    },
  };
}

function line(swatch: string, text: string): HTMLElement {
  const row = document.createElement('div');
  if (swatch !== '') {
    const mark = document.createElement('i');
    mark.className = swatch;
    row.append(mark);
  }
  row.append(text);
  return row;
}

export function inWords({ title, unit, atS, lines }: ChartData): string {
  const each = lines.map(({ name, points }) => {
    const seen = points.filter((value) => value !== null);
    if (seen.length === 0) return `${name} not seen`;
    const text = (value: number) => valueText(value, unit);
    const last = seen.at(-1) ?? 0;
    return `${name} from ${text(Math.min(...seen))} to ${text(Math.max(...seen))}, last ${text(last)}`;
  });
  const span = atS.length === 0 ? '' : ` over ${formatSignificant((atS.at(-1) ?? 0) - (atS[0] ?? 0))} seconds`;
  return `${title}${span}: ${each.join('; ')}`;
}
