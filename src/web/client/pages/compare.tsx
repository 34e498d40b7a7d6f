/** Runs, tags or variants side by side, with the statistics of experiments. The address says what is compared. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ExperimentsReply, ComparePage as Page, RunsReply } from '../../api.ts';
import { Field } from '../parts/field.tsx';
import { Problems } from '../parts/problems.tsx';
import { Result } from '../parts/result.tsx';
import { go } from '../router.tsx';
import { useData } from '../use-data.ts';

const METRICS = [
  'transactions/s',
  'statements/s',
  'p50(transaction)',
  'p95(transaction)',
  'p99(transaction)',
  'elapsed',
];
/** More would only slow the browser's list down. */
const SUGGESTED_MAX = 300;

export function ComparePage({ query }: { readonly query: URLSearchParams }): JSX.Element {
  useEffect(() => {
    document.title = 'Compare - sqldyno';
  }, []);
  const of = query.getAll('of').filter((each) => each !== '');
  return (
    <>
      <h1>Compare</h1>
      <Asked of={of} metric={query.get('metric') ?? ''} />
      {of.length > 0 && <Compared query={query} />}
    </>
  );
}

function Asked({ of, metric }: { readonly of: readonly string[]; readonly metric: string }): JSX.Element {
  const [names, setNames] = useState<readonly string[]>(of.length === 0 ? ['', ''] : of.length === 1 ? [...of] : of);
  const [decides, setDecides] = useState(metric);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const wanted = names.map((name) => name.trim()).filter((name) => name !== '');
    const more = decides === '' ? [] : [['metric', decides]];
    go(`/compare?${new URLSearchParams([...wanted.map((name) => ['of', name]), ...more])}`);
  };
  const set = (at: number, value: string) => setNames(names.map((name, index) => (index === at ? value : name)));
  return (
    <form onSubmit={onSubmit} class="ask">
      <fieldset>
        <legend>What is compared: runs, tags, or an experiment; several runs of one by comma</legend>
        <div class="names">
          {names.map((name, at) => (
            // A field is told by its place.
            <span class="name-field" key={at}>
              <input
                aria-label={at === 0 ? 'Baseline' : `Compared with it, ${at}`}
                placeholder={at === 0 ? 'baseline' : 'compared with it'}
                list="known"
                value={name}
                spellcheck={false}
                autocomplete="off"
                onInput={({ currentTarget }) => set(at, currentTarget.value)}
              />
              {names.length > 1 && (
                <button
                  type="button"
                  class="remove"
                  aria-label={`Leave out ${name}`}
                  onClick={() => setNames(names.filter((_, index) => index !== at))}
                >
                  ×
                </button>
              )}
            </span>
          ))}
          <button type="button" class="plain" onClick={() => setNames([...names, ''])}>
            One more
          </button>
        </div>
        <Known />
      </fieldset>
      <div class="row">
        <Field label="Decided by">
          {(ids) => (
            <input
              {...ids}
              list="metrics"
              value={decides}
              placeholder="transactions/s"
              spellcheck={false}
              onInput={({ currentTarget }) => setDecides(currentTarget.value)}
            />
          )}
        </Field>
        <datalist id="metrics">
          {METRICS.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <button type="submit">Compare</button>
      </div>
    </form>
  );
}

/** Offered while a name is written. */
function Known(): JSX.Element {
  const runs = useData<RunsReply>('/api/runs').loaded;
  const experiments = useData<ExperimentsReply>('/api/experiments').loaded;
  const names = useMemo(() => {
    const tags = runs.is === 'there' ? [...new Set(runs.data.runs.flatMap(({ tags: each }) => each))] : [];
    const ids = runs.is === 'there' ? runs.data.runs.slice(0, SUGGESTED_MAX).map(({ id }) => id) : [];
    const known = experiments.is === 'there' ? experiments.data.experiments.map(({ id }) => id) : [];
    return [...new Set([...tags, ...known, ...ids])].slice(0, SUGGESTED_MAX);
  }, [runs, experiments]);
  return (
    <datalist id="known">
      {names.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}

function Compared({ query }: { readonly query: URLSearchParams }): JSX.Element {
  const { loaded } = useData<Page>(`/api/compare?${query}`);
  if (loaded.is === 'loading') return <p class="quiet">Reading the runs …</p>;
  if (loaded.is === 'failed') {
    const anyway = new URLSearchParams(query);
    anyway.set('anyway', 'yes');
    return (
      <>
        <Problems problems={loaded.problems} />
        {!query.has('anyway') && loaded.problems.some(({ remedy = '' }) => remedy.includes('--anyway')) && (
          <button type="button" onClick={() => go(`/compare?${anyway}`)}>
            Show them side by side anyway
          </button>
        )}
      </>
    );
  }
  const { differences, pairing } = loaded.data;
  return (
    <>
      {differences.some(({ is }) => is === 'refused') && (
        <p class="chip bad">
          They did not do the same work: the figures stand side by side because that was asked for.
        </p>
      )}
      <Result data={loaded.data} />
      <p class="quiet">{PAIRINGS[pairing]}</p>
    </>
  );
}

const PAIRINGS: Readonly<Record<Page['pairing'], string>> = {
  blocks: 'Compared in pairs, block by block of the experiment.',
  'in turn': 'Compared in pairs: they ran by turns.',
  none: 'Compared all against all: they did not run by turns.',
};
