/** The result of an experiment or of a comparison: the answer first, then what it rests on. */
import type { JSX } from 'preact';
import { formatPercent } from '../../../base/units.ts';
import type { ResultData } from '../../api.ts';
import { IntervalPlot } from './interval-plot.tsx';
import { DataTable } from './table.tsx';

export function Result({ data }: { readonly data: ResultData }): JSX.Element {
  const { is, notes, marginShare, effects, variants, costs, pairs } = data;
  return (
    <>
      <p class="answer">{is}</p>
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <h2>Side by side</h2>
      <DataTable table={variants} caption="Variants side by side" />
      {effects.map(({ title, note, effects: of }) => (
        <section key={title}>
          <h3>
            {title} <small>{note}</small>
          </h3>
          <IntervalPlot effects={of} marginShare={marginShare} />
        </section>
      ))}
      {effects.length > 0 && (
        <p class="quiet">
          The bar is the 95 % interval and the mark the effect; within the band, the margin of{' '}
          {formatPercent(marginShare)}, a difference does not matter.
        </p>
      )}
      {costs.rows.length > 0 && (
        <>
          <h2>What else was measured</h2>
          <DataTable table={costs} caption="Medians of other figures" />
        </>
      )}
      {pairs.rows.length > 0 && (
        <details>
          <summary>The pairs, block by block</summary>
          <DataTable table={pairs} caption="The primary metric, block by block" />
        </details>
      )}
    </>
  );
}
