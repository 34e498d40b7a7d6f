/**
 * All runs of the store: search, filters, and a choice to compare. Of ten thousand, only those on the screen are drawn.
 */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatCount, formatSignificant } from '../../../base/units.ts';
import type { RunRow, RunsReply } from '../../api.ts';
import { Field } from '../parts/field.tsx';
import { momentText } from '../parts/moment.ts';
import { Pending } from '../parts/problems.tsx';
import { RUN_ORDERS, type RunOrder, type RunsAsked, searchable, wantedRuns, windowOf } from '../parts/run-list.ts';
import { go, Link, replaceQuery } from '../router.tsx';
import { useData } from '../use-data.ts';

export function RunsPage({ query }: { readonly query: URLSearchParams }): JSX.Element {
  useEffect(() => {
    document.title = 'Runs - sqldyno';
  }, []);
  const { loaded } = useData<RunsReply>('/api/runs');
  return (
    <>
      <h1>Runs</h1>
      {loaded.is === 'there' ? <Runs reply={loaded.data} query={query} /> : <Pending loaded={loaded} />}
    </>
  );
}

function askedBy(query: URLSearchParams): RunsAsked {
  const order = RUN_ORDERS.find((each) => each.order === query.get('order'))?.order ?? 'newest';
  return {
    words: query.get('search') ?? '',
    workload: query.get('workload') ?? '',
    tag: query.get('tag') ?? '',
    onlyValid: query.get('valid') === 'yes',
    order,
  };
}

function queryOf({ words, workload, tag, onlyValid, order }: RunsAsked): URLSearchParams {
  const entries = {
    search: words,
    workload,
    tag,
    valid: onlyValid ? 'yes' : '',
    order: order === 'newest' ? '' : order,
  };
  return new URLSearchParams(Object.entries(entries).filter(([, value]) => value !== ''));
}

function Runs({ reply, query }: { readonly reply: RunsReply; readonly query: URLSearchParams }): JSX.Element {
  const [asked, setAsked] = useState(() => askedBy(query));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const all = useMemo(() => reply.runs.map(searchable), [reply]);
  const shown = useMemo(() => wantedRuns(all, asked), [all, asked]);
  const ask = (change: Partial<RunsAsked>) => {
    const now = { ...asked, ...change };
    setAsked(now);
    replaceQuery(queryOf(now));
  };
  if (reply.runs.length === 0) return <NoRuns reply={reply} />;
  const toggle = (id: string) =>
    setChosen((before) => (before.includes(id) ? before.filter((each) => each !== id) : [...before, id]));
  return (
    <>
      <Filters reply={reply} asked={asked} onAsk={ask} />
      <p class="quiet" role="status">
        {shown.length === reply.runs.length
          ? `${formatCount(shown.length)} ${shown.length === 1 ? 'run' : 'runs'}`
          : `${formatCount(shown.length)} of ${formatCount(reply.runs.length)} runs`}
        {reply.skipped.length > 0 && `; ${formatCount(reply.skipped.length)} cannot be read`}
      </p>
      <List runs={shown} chosen={chosen} onToggle={toggle} />
      {chosen.length > 0 && <Chosen chosen={chosen} onClear={() => setChosen([])} />}
    </>
  );
}

function NoRuns({ reply: { skipped } }: { readonly reply: RunsReply }): JSX.Element {
  return (
    <div class="nothing">
      <p>Nothing has been measured yet.</p>
      <p>
        <Link to="/start" class="button">
          Start a run
        </Link>
      </p>
      {skipped.map(({ path, because }) => (
        <p class="quiet" key={path}>
          {path} cannot be read: {because}
        </p>
      ))}
    </div>
  );
}

interface FiltersProps {
  readonly reply: RunsReply;
  readonly asked: RunsAsked;
  onAsk(change: Partial<RunsAsked>): void;
}

function Filters({ reply, asked, onAsk }: FiltersProps): JSX.Element {
  const workloads = useMemo(() => [...new Set(reply.runs.map(({ workload }) => workload))].sort(), [reply]);
  const tags = useMemo(() => [...new Set(reply.runs.flatMap((run) => run.tags))].sort(), [reply]);
  return (
    <search>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <Field label="Search">
          {(ids) => (
            <input
              {...ids}
              type="search"
              value={asked.words}
              placeholder="workload, tag, server, host, experiment …"
              onInput={({ currentTarget }) => onAsk({ words: currentTarget.value })}
            />
          )}
        </Field>
        <Choice label="Workload" value={asked.workload} of={workloads} onChange={(workload) => onAsk({ workload })} />
        {tags.length > 0 && <Choice label="Tag" value={asked.tag} of={tags} onChange={(tag) => onAsk({ tag })} />}
        <Field label="Order">
          {(ids) => (
            <select
              {...ids}
              value={asked.order}
              onChange={({ currentTarget }) => onAsk({ order: currentTarget.value as RunOrder })}
            >
              {RUN_ORDERS.map(({ order, label }) => (
                <option key={order} value={order}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <label class="check">
          <input
            type="checkbox"
            checked={asked.onlyValid}
            onChange={({ currentTarget }) => onAsk({ onlyValid: currentTarget.checked })}
          />
          only valid ones
        </label>
      </form>
    </search>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly of: readonly string[];
  onChange(value: string): void;
}

function Choice({ label, value, of, onChange }: ChoiceProps): JSX.Element {
  return (
    <Field label={label}>
      {(ids) => (
        <select {...ids} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          <option value="">all</option>
          {of.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      )}
    </Field>
  );
}

const ROW_PX = 45;
/** On a narrow screen a run takes two lines. */
const NARROW_ROW_PX = 68;
const NARROW = '(max-width: 760px)';

interface ListProps {
  readonly runs: readonly RunRow[];
  readonly chosen: readonly string[];
  onToggle(id: string): void;
}

function List({ runs, chosen, onToggle }: ListProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const [{ from, to, rowPx }, setSeen] = useState({ from: 0, to: 40, rowPx: ROW_PX });
  useLayoutEffect(() => {
    const narrow = window.matchMedia(NARROW);
    const look = () => {
      const height = narrow.matches ? NARROW_ROW_PX : ROW_PX;
      const topPx = place.current?.getBoundingClientRect().top ?? 0;
      const seen = windowOf(runs.length, height, topPx, window.innerHeight);
      setSeen((before) =>
        before.from === seen.from && before.to === seen.to && before.rowPx === height
          ? before
          : { ...seen, rowPx: height },
      );
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [runs]);
  if (runs.length === 0) return <p class="nothing">No run is so.</p>;
  return (
    // A table of ten thousand rows that are not all there cannot be a `table`.
    // biome-ignore-start lint/a11y/useSemanticElements: rows are placed by their number.
    // biome-ignore-start lint/a11y/useFocusableInteractive: what can be done stands in the cells.
    <div class="runs" role="table" aria-label="Runs" aria-rowcount={runs.length + 1}>
      <div class="run heading" role="row" aria-rowindex={1}>
        <span role="columnheader" class="pick">
          <span class="unseen">Compare</span>
        </span>
        <span role="columnheader">Workload</span>
        <span role="columnheader" class="figure">
          Threads
        </span>
        <span role="columnheader" class="figure">
          Transactions/s
        </span>
        <span role="columnheader" class="figure">
          p95 ms
        </span>
        <span role="columnheader">Server</span>
        <span role="columnheader">When</span>
        <span role="columnheader">Note</span>
      </div>
      <div class="window" role="rowgroup" ref={place} style={{ height: `${runs.length * rowPx}px` }}>
        {runs.slice(from, to).map((run, at) => (
          <Row
            key={run.id}
            run={run}
            index={from + at}
            rowPx={rowPx}
            isChosen={chosen.includes(run.id)}
            onToggle={onToggle}
          />
        ))}
      </div>
    </div>
    // biome-ignore-end lint/a11y/useFocusableInteractive: see above.
    // biome-ignore-end lint/a11y/useSemanticElements: see above.
  );
}

interface RowProps {
  readonly run: RunRow;
  readonly index: number;
  readonly rowPx: number;
  readonly isChosen: boolean;
  onToggle(id: string): void;
}

function Row({ run, index, rowPx, isChosen, onToggle }: RowProps): JSX.Element {
  const { id, workload, threads, transactionsPerS, p95Ms, target, startedAt } = run;
  const place = { top: `${index * rowPx}px`, height: `${rowPx}px` };
  return (
    // biome-ignore-start lint/a11y/useSemanticElements: see the list.
    // biome-ignore-start lint/a11y/useFocusableInteractive: the row holds what is focused.
    <div class="run" role="row" aria-rowindex={index + 2} style={place}>
      <span role="cell" class="pick">
        <input
          type="checkbox"
          checked={isChosen}
          aria-label={`Compare ${workload}, ${id}`}
          onChange={() => onToggle(id)}
        />
      </span>
      <span role="cell" class="workload">
        <Link to={`/runs/${encodeURIComponent(id)}`}>{workload}</Link>
      </span>
      <span role="cell" class="figure threads">
        {threads === undefined ? '-' : formatCount(threads)}
      </span>
      <span role="cell" class="figure rate">
        {transactionsPerS === undefined ? '-' : formatSignificant(transactionsPerS)}
      </span>
      <span role="cell" class="figure p95">
        {p95Ms === undefined ? '-' : formatSignificant(p95Ms)}
      </span>
      <span role="cell" class="server" title={target}>
        {target.replace(/-.*$/, '')}
      </span>
      <span role="cell" class="when">
        {momentText(startedAt)}
      </span>
      <span role="cell" class="note">
        <Note run={run} />
      </span>
    </div>
    // biome-ignore-end lint/a11y/useFocusableInteractive: see above.
    // biome-ignore-end lint/a11y/useSemanticElements: see above.
  );
}

function Note({ run: { isValid, ending, experiment, tags, importedFrom } }: { readonly run: RunRow }): JSX.Element {
  const isWhole = ending === 'time' || ending === 'events';
  const known = experiment === undefined ? [] : [experiment.name, experiment.variant];
  return (
    <>
      {!isValid && <span class="chip bad">not valid</span>}
      {!isWhole && <span class="chip warn">{ending}</span>}
      {importedFrom !== undefined && <span class="chip">from {importedFrom}</span>}
      {experiment !== undefined && <span class="quiet">{`${experiment.name} / ${experiment.variant} `}</span>}
      {tags
        .filter((tag) => !known.includes(tag))
        .map((tag) => (
          <span class="chip" key={tag}>
            {tag}
          </span>
        ))}
    </>
  );
}

function Chosen({ chosen, onClear }: { readonly chosen: readonly string[]; onClear(): void }): JSX.Element {
  const compare = () => go(`/compare?${new URLSearchParams(chosen.map((id) => ['of', id]))}`);
  return (
    <section class="chosen" aria-label="Chosen runs">
      <span role="status">{formatCount(chosen.length)} chosen</span>
      <button type="button" disabled={chosen.length < 2} onClick={compare}>
        Compare
      </button>
      <button type="button" class="plain" onClick={onClear}>
        Choose none
      </button>
    </section>
  );
}
