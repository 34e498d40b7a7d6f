/** A run or an experiment, and that only one of them can be under way. */
import type { JSX } from 'preact';
import { Link } from '../router.tsx';
import type { Watched } from '../use-activity.ts';

interface StartTabsProps {
  readonly current: 'run' | 'experiment';
  readonly watched: Watched;
}

export function StartTabs({ current, watched: { activity } }: StartTabsProps): JSX.Element {
  const isGoing = activity.is !== 'idle' && (activity.state === 'going' || activity.state === 'stopping');
  return (
    <>
      <nav class="tabs" aria-label="What is started">
        <Link to="/start" isCurrent={current === 'run'}>
          A run
        </Link>
        <Link to="/start/experiment" isCurrent={current === 'experiment'}>
          An experiment
        </Link>
      </nav>
      {isGoing && (
        <p class="chip warn">
          {activity.title} is under way; only one load at a time is applied. <Link to="/live">Watch it</Link>
        </p>
      )}
    </>
  );
}
