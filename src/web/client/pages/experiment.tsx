/** One experiment: the answer with what it rests on, or how far it has come. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Activity, ExperimentPage as Page } from '../../api.ts';
import { post } from '../http.ts';
import { Copied } from '../parts/copied.tsx';
import { momentText } from '../parts/moment.ts';
import { Pairs } from '../parts/pairs.tsx';
import { Pending, Problems } from '../parts/problems.tsx';
import { Result } from '../parts/result.tsx';
import { SaveAs } from '../parts/save-as.tsx';
import { DataTable } from '../parts/table.tsx';
import { go, Link } from '../router.tsx';
import type { Watched } from '../use-activity.ts';
import { useData, useDeed } from '../use-data.ts';

interface ExperimentPageProps {
  readonly id: string;
  readonly watched: Watched;
}

export function ExperimentPage({ id, watched: { activity } }: ExperimentPageProps): JSX.Element {
  const { loaded, again } = useData<Page>(`/api/experiments/${encodeURIComponent(id)}`);
  const isThis = activity.is === 'experiment' && activity.experiment === id;
  const isUnderWay = isThis && (activity.state === 'going' || activity.state === 'stopping');
  const under = isThis ? `${activity.state} ${activity.done}` : '';
  useEffect(() => {
    document.title = `${id} - sqldyno`;
  }, [id]);
  // With each run of one that is under way.
  useEffect(again, [under, again]);
  if (loaded.is !== 'there') {
    return (
      <>
        <h1>{id}</h1>
        <Pending loaded={loaded} />
      </>
    );
  }
  const page = loaded.data;
  const { name, question, startedAt, ending, result, runsDone, runsPlanned } = page;
  return (
    <article>
      <p class="crumbs">
        <Link to="/experiments">Experiments</Link> / {id}
      </p>
      <h1>{name}</h1>
      {question !== undefined && <p class="lead">{question}</p>}
      <p class="facts-line">
        <span>{momentText(startedAt)}</span>
        <span>
          {runsDone.length} of {runsPlanned} runs
        </span>
        {ending !== undefined && ending.kind !== 'done' && (
          <span class="chip warn">{ending.kind === 'early' ? 'clear before the end' : ending.kind}</span>
        )}
      </p>
      {isUnderWay && (
        <p>
          <Link to="/live" class="button">
            Watch it
          </Link>
        </p>
      )}
      {!isUnderWay && <TakeUp page={page} activity={activity} />}
      {result !== undefined && <Result data={result} />}
      <Runs page={page} />
      <h2>How it was made</h2>
      <Pairs pairs={page.facts} />
      <Copied text={page.command} />
      <SaveAs path={`/api/experiments/${encodeURIComponent(id)}`} id={id} forms={page.forms} />
    </article>
  );
}

function TakeUp({
  page: { id, ending },
  activity,
}: {
  readonly page: Page;
  readonly activity: Activity;
}): JSX.Element | null {
  const { isBusy, problems, perform } = useDeed();
  if (ending?.kind === 'done' || ending?.kind === 'early') return null;
  const resume = () =>
    perform(async () => {
      await post(`/api/experiments/${encodeURIComponent(id)}/resume`, {});
      go('/live');
    });
  return (
    <div class="take-up">
      {ending?.cause !== undefined && <p>{ending.cause}</p>}
      <p>
        It is not done; what was measured is kept.{' '}
        <button type="button" disabled={isBusy || isGoing(activity)} onClick={resume}>
          Go on with it
        </button>
      </p>
      <Problems problems={problems} />
    </div>
  );
}

function isGoing(activity: Activity): boolean {
  return activity.is !== 'idle' && (activity.state === 'going' || activity.state === 'stopping');
}

function Runs({ page: { runsDone, invalid } }: { readonly page: Page }): JSX.Element | null {
  if (runsDone.length === 0) return null;
  const rows = runsDone.map(({ number, block, variant, run }) => [String(number), String(block), variant, run]);
  return (
    <details>
      <summary>Its runs</summary>
      <DataTable
        caption="Its runs"
        table={{
          columns: [
            { heading: 'run', align: 'right' },
            { heading: 'block', align: 'right' },
            { heading: 'variant', align: 'left' },
            { heading: 'record', align: 'left' },
          ],
          rows,
        }}
        cell={(text, column) => (column === 3 ? <Link to={`/runs/${encodeURIComponent(text)}`}>{text}</Link> : text)}
      />
      {invalid.map(({ number, because }) => (
        <p class="quiet" key={`${number}-${because}`}>
          Run {number} did not count at first: {because}
        </p>
      ))}
    </details>
  );
}
