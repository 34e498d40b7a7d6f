/** What is under way, from its beginning to what came of it. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { formatCount, formatDuration, formatSignificant } from '../../../base/units.ts';
import type { Activity, LiveExperiment, LiveRun, TableData } from '../../api.ts';
import { post } from '../http.ts';
import { Copied } from '../parts/copied.tsx';
import { LiveLoadView } from '../parts/live-load.tsx';
import { Problems } from '../parts/problems.tsx';
import { DataTable } from '../parts/table.tsx';
import { Link } from '../router.tsx';
import type { Watched } from '../use-activity.ts';
import { useDeed } from '../use-data.ts';

type Going = LiveRun | LiveExperiment;

export function LivePage({ watched }: { readonly watched: Watched }): JSX.Element {
  const { activity, isConnected } = watched;
  useEffect(() => {
    document.title = `${activity.is === 'idle' ? 'Nothing under way' : activity.step} - sqldyno`;
  }, [activity]);
  if (activity.is === 'idle') {
    return (
      <>
        <h1>Nothing is under way</h1>
        <p>
          <Link to="/start" class="button">
            Start a run
          </Link>
        </p>
      </>
    );
  }
  return (
    <>
      {!isConnected && <p class="chip warn">The program does not answer just now; this is what was last seen.</p>}
      <LiveActivity activity={activity} watched={watched} />
    </>
  );
}

export function LiveActivity({
  activity,
  watched,
}: {
  readonly activity: Going;
  readonly watched: Watched;
}): JSX.Element {
  const { title, state, progress, notes, problems = [], load } = activity;
  return (
    <>
      <h1>{title}</h1>
      <Step activity={activity} />
      <Problems problems={problems} />
      {activity.is === 'experiment' && <ExperimentProgress experiment={activity} />}
      {progress !== undefined && load === undefined && (
        <div class="progress">
          <progress
            value={progress.done}
            max={progress.total === 0 ? undefined : progress.total}
            aria-label={progress.of}
          />
          <span>
            {progress.of}
            {progress.total > 0 && `: ${formatCount(progress.done)} of ${formatCount(progress.total)}`}
          </span>
        </div>
      )}
      {state !== 'failed' && (
        <section aria-label="The load">
          {activity.is === 'experiment' && activity.current !== undefined && load !== undefined && (
            <h2>
              Run {activity.current.number}: {activity.current.variant} <small>block {activity.current.block}</small>
            </h2>
          )}
          <LiveLoadView load={load} watched={watched} />
        </section>
      )}
      {activity.is === 'experiment' && activity.runs.length > 0 && <ExperimentRuns experiment={activity} />}
      {notes.length > 0 && (
        <details open={notes.length < 5}>
          <summary>Notes</summary>
          <ul class="notes">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
      {activity.is === 'run' && <Copied text={activity.command} />}
    </>
  );
}

function Step({ activity }: { readonly activity: Going }): JSX.Element {
  const { step, state } = activity;
  const { isBusy, problems, perform } = useDeed();
  const stop = () => perform(async () => void (await post<Activity>('/api/activity/stop', {})));
  const isOver = state === 'done' || state === 'failed';
  const outcome = activity.is === 'run' ? activity.headline : activity.answer;
  return (
    <>
      <div class="step">
        <p role="status" class={state === 'failed' ? 'bad' : ''}>
          {isOver
            ? `${state === 'failed' ? 'It failed' : 'It is over'}${step === 'done' || step === 'failed' ? '.' : `: ${step}`}`
            : step}
        </p>
        {!isOver && (
          <button type="button" class="stop" disabled={isBusy} onClick={stop}>
            {state === 'stopping' ? 'Stop at once' : 'Stop'}
          </button>
        )}
      </div>
      {outcome !== undefined && <p class="answer">{outcome}</p>}
      {isOver && <Onwards activity={activity} />}
      <Problems problems={problems} />
    </>
  );
}

function Onwards({ activity }: { readonly activity: Going }): JSX.Element {
  return (
    <p class="buttons">
      {activity.is === 'run' && activity.run !== undefined && (
        <Link to={`/runs/${encodeURIComponent(activity.run)}`} class="button">
          See the run
        </Link>
      )}
      {activity.is === 'experiment' && activity.experiment !== undefined && (
        <Link to={`/experiments/${encodeURIComponent(activity.experiment)}`} class="button">
          See the experiment
        </Link>
      )}
      <Link to={activity.is === 'run' ? '/start' : '/start/experiment'} class="button plain">
        Start another
      </Link>
    </p>
  );
}

function ExperimentProgress({ experiment }: { readonly experiment: LiveExperiment }): JSX.Element {
  const { done, total, leftS, question, state } = experiment;
  const isGoing = state === 'going' || state === 'stopping';
  return (
    <>
      {question !== undefined && <p class="lead">{question}</p>}
      <div class="progress">
        <progress value={done} max={total} aria-label="Runs of the experiment" />
        <span>
          {`${formatCount(done)} of ${formatCount(total)} runs`}
          {isGoing && leftS !== undefined && `, about ${formatDuration(Math.round(leftS))} left`}
        </span>
      </div>
    </>
  );
}

function ExperimentRuns({ experiment: { runs, metric, unit } }: { readonly experiment: LiveExperiment }): JSX.Element {
  const columns: TableData['columns'] = [
    { heading: 'run', align: 'right' },
    { heading: 'block', align: 'right' },
    { heading: 'variant', align: 'left' },
    { heading: unit === '1/s' || unit === '' ? metric : `${metric} ${unit}`, align: 'point' },
    { heading: '', align: 'left' },
  ];
  const newest = [...runs].reverse();
  const rows = newest.map(({ number, block, variant, value, run, invalidBecause }) => [
    String(number),
    String(block),
    variant,
    value === undefined ? '' : formatSignificant(value),
    invalidBecause === undefined ? (run ?? '') : `does not count: ${invalidBecause}`,
  ]);
  return (
    <>
      <h2>Runs so far</h2>
      <DataTable
        table={{ columns, rows }}
        caption="Runs so far"
        cell={(text, column, row) => {
          const { run } = newest[row] ?? {};
          return column === 4 && run !== undefined ? <Link to={`/runs/${encodeURIComponent(run)}`}>see it</Link> : text;
        }}
      />
    </>
  );
}
