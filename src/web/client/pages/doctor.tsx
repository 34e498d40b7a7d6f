/** What would spoil a measurement here: looked at before it is made. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { CheckLevel, CheckResult } from '../../../model/checkup.ts';
import type { DoctorReply, TargetForm, WorkloadForm } from '../../api.ts';
import { post } from '../http.ts';
import { Field } from '../parts/field.tsx';
import { Problems } from '../parts/problems.tsx';
import { PRIVATE, TargetFields } from '../parts/target-fields.tsx';
import { useData, useDeed } from '../use-data.ts';

export function DoctorPage(): JSX.Element {
  const [target, setTarget] = useState<TargetForm>(PRIVATE);
  const [workload, setWorkload] = useState('');
  const [threads, setThreads] = useState('');
  const [checkup, setCheckup] = useState<DoctorReply>();
  const { loaded } = useData<readonly WorkloadForm[]>('/api/workloads');
  const { isBusy, problems, perform } = useDeed();
  useEffect(() => {
    document.title = 'Doctor - sqldyno';
  }, []);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const options = workload === '' || threads === '' ? {} : { threads };
    perform(async () => setCheckup(await post<DoctorReply>('/api/doctor', { target, workload, options })));
  };
  return (
    <>
      <h1>Doctor</h1>
      <p class="lead">
        Looks at this machine, the server and what is meant to run, and says what would spoil it. Nothing is changed.
      </p>
      <form onSubmit={onSubmit}>
        <TargetFields
          target={target}
          note="It is not started for this: where it does not run, this machine alone is examined."
          onChange={setTarget}
        />
        <div class="grid">
          <Field label="Workload that is meant">
            {(ids) => (
              <select {...ids} value={workload} onChange={({ currentTarget }) => setWorkload(currentTarget.value)}>
                <option value="">none</option>
                {loaded.is === 'there' && loaded.data.map(({ name }) => <option key={name}>{name}</option>)}
              </select>
            )}
          </Field>
          {workload !== '' && (
            <Field label="Threads">
              {(ids) => (
                <input
                  {...ids}
                  type="number"
                  min={1}
                  value={threads}
                  placeholder="1"
                  onInput={({ currentTarget }) => setThreads(currentTarget.value)}
                />
              )}
            </Field>
          )}
        </div>
        <Problems problems={problems} />
        <button type="submit" disabled={isBusy}>
          {isBusy ? 'Looking …' : 'Examine'}
        </button>
      </form>
      {checkup !== undefined && <Checkup checkup={checkup} />}
    </>
  );
}

const LEVELS: readonly { readonly level: CheckLevel; readonly title: string; readonly tone: string }[] = [
  { level: 'block', title: 'Would make it invalid', tone: 'bad' },
  { level: 'warning', title: 'Would make it worth less', tone: 'warn' },
  { level: 'info', title: 'Good to know', tone: '' },
  { level: 'unseen', title: 'Could not be looked at', tone: '' },
  { level: 'ok', title: 'Fine', tone: 'good' },
];

function summary({ block, warning, ok, unseen }: DoctorReply['counts']): string {
  const bad = [
    ...(block === 0 ? [] : [`${block} would make a run invalid`]),
    ...(warning === 0 ? [] : [`${warning} would make it worth less`]),
  ];
  const first = bad.length === 0 ? 'Nothing stands in the way' : bad.join(', ');
  return `${first}; ${ok} fine, ${unseen} not seen.`;
}

function Checkup({ checkup: { examined, checks, counts, tookS } }: { readonly checkup: DoctorReply }): JSX.Element {
  return (
    <section aria-label="What was found">
      <p class="answer" role="status">
        {summary(counts)}
      </p>
      <p class="quiet">
        {examined.server === null ? 'No server runs: this machine was examined' : `Examined ${examined.server}`} in{' '}
        {tookS.toFixed(1)} s.
      </p>
      {LEVELS.map(({ level, title, tone }) => {
        const of = checks.filter((check) => check.level === level);
        if (of.length === 0) return null;
        const list = (
          <ul class="findings">
            {of.map((check) => (
              <Check key={`${check.check}-${check.of}-${check.at ?? ''}`} check={check} tone={tone} />
            ))}
          </ul>
        );
        if (level === 'block' || level === 'warning') {
          return (
            <section key={level}>
              <h2>{title}</h2>
              {list}
            </section>
          );
        }
        return (
          <details key={level}>
            <summary>
              {title} ({of.length})
            </summary>
            {list}
          </details>
        );
      })}
    </section>
  );
}

function Check({
  check: { title, of, at, is, because, remedy },
  tone,
}: {
  readonly check: CheckResult;
  readonly tone: string;
}): JSX.Element {
  return (
    <li>
      <span class={`chip ${tone}`}>{at ?? of}</span>
      <div>
        <b>{title}.</b> {is} {because !== undefined && <span class="quiet">{because}</span>}
        {remedy !== undefined && (
          <div class="remedy">
            {remedy.is}
            {[...(remedy.shell ?? []), ...(remedy.sql ?? []).map((statement) => `${statement};`)].map((command) => (
              <code class="block" key={command}>
                {command}
              </code>
            ))}
          </div>
        )}
      </div>
    </li>
  );
}
