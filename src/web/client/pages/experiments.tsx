/** All experiments: what each asked, and what came of it. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ExperimentRow, ExperimentsReply } from '../../api.ts';
import { momentText } from '../parts/moment.ts';
import { Pending } from '../parts/problems.tsx';
import { Link } from '../router.tsx';
import type { Watched } from '../use-activity.ts';
import { useData } from '../use-data.ts';

export function ExperimentsPage({ watched: { activity } }: { readonly watched: Watched }): JSX.Element {
  const { loaded, again } = useData<ExperimentsReply>('/api/experiments');
  const under = activity.is === 'experiment' ? `${activity.experiment} ${activity.state} ${activity.done}` : '';
  useEffect(() => {
    document.title = 'Experiments - sqldyno';
  }, []);
  // With each run of one that is under way.
  useEffect(again, [under, again]);
  const start = (
    <Link to="/start/experiment" class="button">
      Start an experiment
    </Link>
  );
  return (
    <>
      <div class="title">
        <h1>Experiments</h1>
        {start}
      </div>
      {loaded.is !== 'there' ? (
        <Pending loaded={loaded} />
      ) : loaded.data.experiments.length === 0 ? (
        <p class="nothing">There is none yet. An experiment runs variants in blocks, and ends with a verdict.</p>
      ) : (
        <ul class="experiments">
          {loaded.data.experiments.map((row) => (
            <Row
              key={row.id}
              row={row}
              isUnderWay={activity.is === 'experiment' && activity.experiment === row.id && activity.state === 'going'}
            />
          ))}
        </ul>
      )}
    </>
  );
}

function Row({ row, isUnderWay }: { readonly row: ExperimentRow; readonly isUnderWay: boolean }): JSX.Element {
  const { id, name, startedAt, ending, workload, variants, runsDone, runsPlanned, is } = row;
  const word = isUnderWay ? 'under way' : ending === undefined ? 'cut off, or under way elsewhere' : ending;
  const isFine = ending === 'done' || ending === 'early';
  return (
    <li>
      <h2>
        <Link to={`/experiments/${encodeURIComponent(id)}`}>{name}</Link>
      </h2>
      {is !== undefined && <p>{is}</p>}
      <p class="quiet">
        {!isFine && <span class="chip warn">{word}</span>} {momentText(startedAt)} · {workload} · {variants.join(', ')}{' '}
        · {runsDone} of {runsPlanned} runs
      </p>
    </li>
  );
}
