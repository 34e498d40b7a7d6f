/** A few figures, large: label above, value, and what it stands for. */
import type { JSX } from 'preact';

export interface ShownFigure {
  readonly label: string;
  readonly value: string;
  readonly note?: string | undefined;
}

export function Figures({ figures }: { readonly figures: readonly ShownFigure[] }): JSX.Element {
  return (
    <dl class="figures">
      {figures.map(({ label, value, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <span class="value">{value}</span>
            {note !== undefined && <span class="note">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
