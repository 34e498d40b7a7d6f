/** Private servers: which there are, start, stop. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ServerRow, ServersReply } from '../../api.ts';
import { post } from '../http.ts';
import { Field } from '../parts/field.tsx';
import { Pending, Problems } from '../parts/problems.tsx';
import { useData, useDeed } from '../use-data.ts';

export function ServersPage(): JSX.Element {
  const { loaded, again } = useData<ServersReply>('/api/servers');
  const { isBusy, problems, perform } = useDeed();
  useEffect(() => {
    document.title = 'Servers - sqldyno';
  }, []);
  const deed = (path: string, body: unknown) =>
    perform(async () => {
      await post(path, body);
      again();
    });
  return (
    <>
      <h1>Private servers</h1>
      <p class="lead">
        A MariaDB or MySQL of this machine's own program, in a directory of its own. One that is started here ends with
        this program; its data stays for the next start.
      </p>
      {loaded.is === 'there' ? (
        <Servers
          servers={loaded.data.servers}
          isBusy={isBusy}
          onStop={(name) => deed(`/api/servers/${encodeURIComponent(name)}/stop`, {})}
          onStart={(name) => deed('/api/servers', { name, arguments: [] })}
        />
      ) : (
        <Pending loaded={loaded} />
      )}
      <Problems problems={problems} />
      <StartForm isBusy={isBusy} onStart={(name, extra) => deed('/api/servers', { name, arguments: extra })} />
    </>
  );
}

interface ServersProps {
  readonly servers: readonly ServerRow[];
  readonly isBusy: boolean;
  onStop(name: string): void;
  onStart(name: string): void;
}

function Servers({ servers, isBusy, onStop, onStart }: ServersProps): JSX.Element {
  if (servers.length === 0) return <p class="nothing">There is none yet.</p>;
  return (
    <ul class="servers">
      {servers.map(({ name, state, version, process, socket, isKept, endsWithPage }) => (
        <li key={name}>
          <div>
            <h2>
              {name} <span class={`chip ${state === 'running' ? 'good' : ''}`}>{state}</span>
            </h2>
            <p class="quiet">
              {version}
              {process !== undefined && `, process ${process}`}
              {endsWithPage && ', ends with this program'}
              {!isKept && ', of a program that runs now'}
            </p>
            {socket !== undefined && <code>{socket}</code>}
          </div>
          {isKept && state === 'running' && (
            <button
              type="button"
              class="plain"
              disabled={isBusy}
              aria-label={`Stop ${name}`}
              onClick={() => onStop(name)}
            >
              Stop
            </button>
          )}
          {isKept && state === 'stopped' && (
            <button
              type="button"
              class="plain"
              disabled={isBusy}
              aria-label={`Start ${name}`}
              onClick={() => onStart(name)}
            >
              Start
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

interface StartFormProps {
  readonly isBusy: boolean;
  onStart(name: string, extra: readonly string[]): void;
}

function StartForm({ isBusy, onStart }: StartFormProps): JSX.Element {
  const [name, setName] = useState('default');
  const [options, setOptions] = useState('');
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const extra = options
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    onStart(name, extra);
  };
  return (
    <form onSubmit={onSubmit}>
      <h2>Start one</h2>
      <div class="grid">
        <Field label="Name">
          {(ids) => (
            <input
              {...ids}
              value={name}
              required
              pattern="[A-Za-z0-9][A-Za-z0-9_\-]{0,39}"
              title="letters, digits, - and _"
              spellcheck={false}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Options of the server, one a line" isWide>
          {(ids) => (
            <textarea
              {...ids}
              rows={2}
              value={options}
              placeholder="--innodb-buffer-pool-size=1G"
              spellcheck={false}
              onInput={({ currentTarget }) => setOptions(currentTarget.value)}
            />
          )}
        </Field>
      </div>
      <button type="submit" disabled={isBusy}>
        {isBusy ? 'One moment …' : 'Start'}
      </button>
    </form>
  );
}
