/** Where the server is: a private one, or a URL with a password that is kept in memory only. */
import type { JSX } from 'preact';
import type { ServersReply, TargetForm } from '../../api.ts';
import { useData } from '../use-data.ts';
import { Field } from './field.tsx';

interface TargetFieldsProps {
  readonly target: TargetForm;
  /** Of a private one that does not run. */
  readonly note?: string;
  onChange(target: TargetForm): void;
}

const DEFAULT_NAME = 'default';
const STARTED = 'It is started where it does not run, and then ends with this program; its data stays.';
export const PRIVATE: TargetForm = { is: 'private', name: DEFAULT_NAME };

export function TargetFields({ target, note = STARTED, onChange }: TargetFieldsProps): JSX.Element {
  const { loaded } = useData<ServersReply>('/api/servers');
  const known = loaded.is === 'there' ? loaded.data.servers.filter(({ isKept }) => isKept).map(({ name }) => name) : [];
  const names = [...new Set([DEFAULT_NAME, ...known])];
  return (
    <fieldset>
      <legend>Server</legend>
      <div class="choices">
        <label>
          <input type="radio" name="target" checked={target.is === 'private'} onChange={() => onChange(PRIVATE)} />A
          private server of this machine
        </label>
        <label>
          <input
            type="radio"
            name="target"
            checked={target.is === 'server'}
            onChange={() => onChange({ is: 'server', url: '' })}
          />
          Another server
        </label>
      </div>
      {target.is === 'private' ? (
        <Field label="Its name" help={note}>
          {(ids) => (
            <select
              {...ids}
              value={target.name}
              onChange={({ currentTarget: { value } }) => onChange({ is: 'private', name: value })}
            >
              {names.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Field>
      ) : (
        <div class="grid">
          <Field label="URL" isWide>
            {(ids) => (
              <input
                {...ids}
                value={target.url}
                placeholder="mysql://user@host:3306/sbtest"
                autocomplete="off"
                spellcheck={false}
                required
                pattern="(mysql|mariadb)://.+"
                onInput={({ currentTarget: { value } }) => onChange({ ...target, url: value })}
              />
            )}
          </Field>
          <Field label="Password" help={'Kept in memory only, and never in a record.'}>
            {(ids) => (
              <input
                {...ids}
                type="password"
                autocomplete="off"
                value={target.password ?? ''}
                onInput={({ currentTarget: { value } }) => onChange({ ...target, password: value })}
              />
            )}
          </Field>
        </div>
      )}
    </fieldset>
  );
}
