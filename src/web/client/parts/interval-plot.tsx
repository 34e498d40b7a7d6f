/** Effects with their intervals, one below the other on one scale: which side of nothing each lies on. */
import type { JSX } from 'preact';
import type { EffectData } from '../../api.ts';

const WIDTH = 320;
const ROW_HEIGHT = 28;
/** One row tells nothing of the others where it is a hundred times as wide. */
const SHARE_MAX = 2;

interface IntervalPlotProps {
  readonly effects: readonly EffectData[];
  readonly marginShare: number;
}

export function IntervalPlot({ effects, marginShare }: IntervalPlotProps): JSX.Element {
  const ends = effects
    .flatMap(({ effect, interval }) => [effect, interval?.low ?? effect, interval?.high ?? effect])
    .map(bounded);
  const low = Math.min(-marginShare * 1.5, ...ends);
  const high = Math.max(marginShare * 1.5, ...ends);
  const x = (share: number) => 6 + ((bounded(share) - low) / (high - low)) * (WIDTH - 12);
  return (
    <div class="effects">
      {effects.map(({ name, effect, interval, verdict, text }) => (
        <div class="effect" key={name}>
          <span class="name">{name}</span>
          <svg viewBox={`0 0 ${WIDTH} ${ROW_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
            <rect
              class="margin"
              x={x(-marginShare)}
              width={x(marginShare) - x(-marginShare)}
              y="0"
              height={ROW_HEIGHT}
            />
            <line class="zero" x1={x(0)} x2={x(0)} y1="0" y2={ROW_HEIGHT} />
            {interval !== undefined && (
              <line
                class="interval"
                x1={x(interval.low)}
                x2={x(interval.high)}
                y1={ROW_HEIGHT / 2}
                y2={ROW_HEIGHT / 2}
              />
            )}
            <line class="point" x1={x(effect)} x2={x(effect)} y1={ROW_HEIGHT / 2 - 6} y2={ROW_HEIGHT / 2 + 6} />
          </svg>
          <span class="words">
            {verdict !== '' && <span class={`verdict ${verdict.toLowerCase()}`}>{verdict}</span>} {text}
          </span>
        </div>
      ))}
    </div>
  );
}

function bounded(share: number): number {
  return Math.max(-1, Math.min(SHARE_MAX, share));
}
