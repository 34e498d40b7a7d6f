/** The frame of all pages: where one is, what is under way, and the page itself. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { SessionInfo } from '../api.ts';
import { setToken } from './http.ts';
import { ComparePage } from './pages/compare.tsx';
import { DoctorPage } from './pages/doctor.tsx';
import { ExperimentPage } from './pages/experiment.tsx';
import { ExperimentsPage } from './pages/experiments.tsx';
import { LivePage } from './pages/live.tsx';
import { RunPage } from './pages/run.tsx';
import { RunsPage } from './pages/runs.tsx';
import { ServersPage } from './pages/servers.tsx';
import { StartPage } from './pages/start.tsx';
import { StartExperimentPage } from './pages/start-experiment.tsx';
import { Field } from './parts/field.tsx';
import { Problems } from './parts/problems.tsx';
import { Link, type Place, usePlace } from './router.tsx';
import { useActivity, type Watched } from './use-activity.ts';
import { useData } from './use-data.ts';

const PLACES = [
  { to: '/', label: 'Runs', begins: ['/runs'] },
  { to: '/experiments', label: 'Experiments', begins: ['/experiments'] },
  { to: '/compare', label: 'Compare', begins: ['/compare'] },
  { to: '/start', label: 'Start', begins: ['/start'] },
  { to: '/servers', label: 'Servers', begins: ['/servers'] },
  { to: '/doctor', label: 'Doctor', begins: ['/doctor'] },
] as const;

export function App(): JSX.Element {
  const { loaded } = useData<SessionInfo>('/api/session');
  if (loaded.is === 'loading') return <main class="page" aria-busy="true" />;
  if (loaded.is === 'failed') return <Closed problems={loaded.problems} />;
  return <Frame session={loaded.data} />;
}

function Frame({ session }: { readonly session: SessionInfo }): JSX.Element {
  const place = usePlace();
  const watched = useActivity();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // At another place, whoever reads begins at its top.
  useEffect(() => {
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [place.path]);
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <Link to="/" class="brand">
          <img src="/icon.svg" alt="" width="24" height="24" />
          sqldyno
        </Link>
        <nav aria-label="Pages">
          {PLACES.map(({ to, label, begins }) => (
            <Link key={to} to={to} isCurrent={place.path === to || begins.some((each) => place.path.startsWith(each))}>
              {label}
            </Link>
          ))}
        </nav>
        <UnderWay watched={watched} />
      </header>
      <main id="content" class="page" ref={main} tabIndex={-1}>
        <Shown place={place} watched={watched} />
      </main>
      <footer class="foot">
        <span>sqldyno {session.version}</span>
        <span class="path">{session.store}</span>
      </footer>
    </>
  );
}

function Shown({ place: { path, query }, watched }: { readonly place: Place; readonly watched: Watched }): JSX.Element {
  const [, first = '', second] = path.split('/');
  const name = second === undefined ? undefined : decodeURIComponent(second);
  switch (first) {
    case '':
      return <RunsPage query={query} />;
    case 'runs':
      return name === undefined ? <RunsPage query={query} /> : <RunPage key={name} id={name} />;
    case 'experiments':
      return name === undefined ? (
        <ExperimentsPage watched={watched} />
      ) : (
        <ExperimentPage key={name} id={name} watched={watched} />
      );
    case 'compare':
      return <ComparePage key={query.toString()} query={query} />;
    case 'start':
      return name === 'experiment' ? (
        <StartExperimentPage watched={watched} query={query} />
      ) : (
        <StartPage watched={watched} />
      );
    case 'live':
      return <LivePage watched={watched} />;
    case 'servers':
      return <ServersPage />;
    case 'doctor':
      return <DoctorPage />;
    default:
      return (
        <>
          <h1>There is no such page</h1>
          <p>
            <Link to="/">To the runs</Link>
          </p>
        </>
      );
  }
}

/** Seen from everywhere: whoever looks at old runs must know that a new one is measured. */
function UnderWay({ watched: { activity } }: { readonly watched: Watched }): JSX.Element {
  const isGoing = activity.is !== 'idle' && (activity.state === 'going' || activity.state === 'stopping');
  return (
    <div class="under-way" role="status">
      {isGoing && (
        <Link to="/live" class="pill">
          <span class="dot" aria-hidden="true" />
          {activity.is === 'experiment'
            ? `${activity.title.replace('The experiment ', '')} ${activity.done}/${activity.total}`
            : activity.step}
        </Link>
      )}
    </div>
  );
}

function Closed({
  problems,
}: {
  readonly problems: readonly { readonly is: string; readonly remedy?: string }[];
}): JSX.Element {
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const field = new FormData(event.currentTarget as HTMLFormElement).get('token');
    setToken(
      String(field ?? '')
        .replace(/^.*#token=/, '')
        .trim(),
    );
    window.location.reload();
  };
  return (
    <main class="page narrow">
      <h1>sqldyno</h1>
      <Problems problems={problems} />
      <form onSubmit={onSubmit}>
        <Field label="Or paste the address, or its token, here">
          {(ids) => <input {...ids} name="token" autocomplete="off" spellcheck={false} required />}
        </Field>
        <button type="submit">Open</button>
      </form>
    </main>
  );
}
