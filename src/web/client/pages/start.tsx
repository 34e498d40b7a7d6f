/** A run to be started: workload, load, server; and the command that would do the same. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { FormOption, RunForm, TargetForm, WorkloadForm } from '../../api.ts';
import { post } from '../http.ts';
import { Field } from '../parts/field.tsx';
import { OptionFields, type OptionTexts } from '../parts/option-fields.tsx';
import { Pending, Problems } from '../parts/problems.tsx';
import { StartTabs } from '../parts/start-tabs.tsx';
import { PRIVATE, TargetFields } from '../parts/target-fields.tsx';
import { go } from '../router.tsx';
import type { Watched } from '../use-activity.ts';
import { useData, useDeed } from '../use-data.ts';

const FIRST = 'oltp_read_write';
/** Those that are nearly always thought about; the others are folded. */
const USUAL = ['threads', 'time', 'warmup_time', 'rate'];

export function StartPage({ watched }: { readonly watched: Watched }): JSX.Element {
  const { loaded } = useData<readonly WorkloadForm[]>('/api/workloads');
  useEffect(() => {
    document.title = 'Start - sqldyno';
  }, []);
  return (
    <>
      <h1>Start a run</h1>
      <StartTabs current="run" watched={watched} />
      {loaded.is === 'there' ? <Form workloads={loaded.data} /> : <Pending loaded={loaded} />}
    </>
  );
}

function Form({ workloads }: { readonly workloads: readonly WorkloadForm[] }): JSX.Element {
  const [name, setName] = useState(FIRST);
  const [own, setOwn] = useState<OptionTexts>({});
  const [load, setLoad] = useState<OptionTexts>({});
  const [target, setTarget] = useState<TargetForm>(PRIVATE);
  const [tags, setTags] = useState('');
  const [prepares, setPrepares] = useState(true);
  const { isBusy, problems, perform } = useDeed();
  const workload = workloads.find((each) => each.name === name) ?? workloads[0];
  if (workload === undefined) return <p>There is no workload.</p>;
  const form: RunForm = {
    workload: workload.name,
    options: { ...load, ...own },
    target,
    tags: tags.split(/[\s,]+/).filter((tag) => tag !== ''),
    prepares,
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    perform(async () => {
      await post('/api/runs', form);
      go('/live');
    });
  };
  const isUsual = (option: FormOption) => USUAL.includes(option.name);
  return (
    <form onSubmit={onSubmit}>
      <fieldset>
        <legend>Workload</legend>
        <Field label="Which" help={workload.summary}>
          {(ids) => (
            <select
              {...ids}
              value={workload.name}
              onChange={({ currentTarget }) => {
                setName(currentTarget.value);
                setOwn({});
              }}
            >
              {workloads.map((each) => (
                <option key={each.name}>{each.name}</option>
              ))}
            </select>
          )}
        </Field>
        {workload.options.length > 0 && (
          <details>
            <summary>Its options</summary>
            <OptionFields options={workload.options} values={own} onChange={setOwn} />
          </details>
        )}
      </fieldset>
      <fieldset>
        <legend>Load</legend>
        <OptionFields options={workload.load.filter(isUsual)} values={load} onChange={setLoad} />
        <details>
          <summary>More options of the load</summary>
          <OptionFields options={workload.load.filter((option) => !isUsual(option))} values={load} onChange={setLoad} />
        </details>
      </fieldset>
      <TargetFields
        target={target}
        onChange={(changed) => {
          setTarget(changed);
          // Somebody's server is not written to unless that is asked for.
          if (changed.is !== target.is) setPrepares(changed.is === 'private');
        }}
      />
      <div class="row">
        {workload.hasPrepare && (
          <label class="check">
            <input
              type="checkbox"
              checked={prepares}
              onChange={({ currentTarget }) => setPrepares(currentTarget.checked)}
            />
            make the tables first where they are missing
          </label>
        )}
        <Field label="Tags">
          {(ids) => (
            <input
              {...ids}
              value={tags}
              placeholder="words to find it by"
              onInput={({ currentTarget }) => setTags(currentTarget.value)}
            />
          )}
        </Field>
      </div>
      <p class="command">
        <code>{commandOf(form)}</code>
      </p>
      <Problems problems={problems} />
      <button type="submit" disabled={isBusy}>
        {isBusy ? 'Starting …' : 'Start'}
      </button>
    </form>
  );
}

/** As it would be typed; the password is never shown. */
function commandOf({ workload, options, target, tags }: RunForm): string {
  const where =
    target.is === 'private'
      ? target.name === 'default'
        ? []
        : [`--server=${target.name}`]
      : [`--url=${target.url.replace(/:[^:@/]*@/, ':***@')}`];
  const each = Object.entries(options).map(([name, value]) => `--${name.replaceAll('_', '-')}=${value}`);
  return [
    'sqldyno',
    workload,
    ...each,
    ...where,
    ...(tags.length === 0 ? [] : [`--tag=${tags.join(',')}`]),
    'run',
  ].join(' ');
}
