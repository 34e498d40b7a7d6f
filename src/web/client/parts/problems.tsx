/** What is wrong, each with what to do about it. Read out as soon as it appears. */
import type { JSX } from 'preact';
import type { ApiProblem } from '../../api.ts';
import type { Loaded } from '../use-data.ts';

export function Problems({ problems }: { readonly problems: readonly ApiProblem[] }): JSX.Element {
  return (
    <div role="alert">
      {problems.length > 0 && (
        <ul class="problems">
          {problems.map(({ is, remedy }) => (
            <li key={is}>
              <span class="lines">{is}</span>
              {remedy !== undefined && <span class="remedy lines">{remedy}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Until it is there, and where it is not. */
export function Pending({ loaded }: { readonly loaded: Loaded<unknown> }): JSX.Element {
  if (loaded.is === 'failed') return <Problems problems={loaded.problems} />;
  return <p class="quiet">Reading …</p>;
}
