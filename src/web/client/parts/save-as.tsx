/** The forms in which it can be taken away, each a button. */
import type { JSX } from 'preact';
import type { ReportForm } from '../../api.ts';
import { save } from '../http.ts';
import { useDeed } from '../use-data.ts';
import { Problems } from './problems.tsx';

interface SaveAsProps {
  /** Of the run or experiment: `/api/runs/ID`. */
  readonly path: string;
  readonly id: string;
  readonly forms: readonly ReportForm[];
}

export function SaveAs({ path, id, forms }: SaveAsProps): JSX.Element {
  const { isBusy, problems, perform } = useDeed();
  return (
    <>
      <div class="buttons">
        <span class="quiet">Save as</span>
        {forms.map(({ name, summary, extension }) => (
          <button
            type="button"
            key={name}
            class="small"
            title={summary}
            disabled={isBusy}
            aria-label={`Save as ${name}`}
            onClick={() => perform(() => save(`${path}/report/${name}`, `${id}.${extension}`))}
          >
            {name}
          </button>
        ))}
      </div>
      <Problems problems={problems} />
    </>
  );
}
