/** One run: what it gave, how that went over time, what set its pace, how far to trust it, how to do it again. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatPercent, formatRate } from '../../../base/units.ts';
import type { Verdict } from '../../../model/judgement.ts';
import type { FactGroup, RunPage as Page } from '../../api.ts';
import { post } from '../http.ts';
import { Chart } from '../parts/chart.tsx';
import { Copied } from '../parts/copied.tsx';
import { Figures } from '../parts/figures.tsx';
import { momentText } from '../parts/moment.ts';
import { Pairs } from '../parts/pairs.tsx';
import { Pending, Problems } from '../parts/problems.tsx';
import { SaveAs } from '../parts/save-as.tsx';
import { DataTable } from '../parts/table.tsx';
import { Link } from '../router.tsx';
import { useData, useDeed } from '../use-data.ts';

export function RunPage({ id }: { readonly id: string }): JSX.Element {
  const { loaded, again } = useData<Page>(`/api/runs/${encodeURIComponent(id)}`);
  useEffect(() => {
    document.title = `${id} - sqldyno`;
  }, [id]);
  if (loaded.is !== 'there') {
    return (
      <>
        <h1>{id}</h1>
        <Pending loaded={loaded} />
      </>
    );
  }
  return <Run page={loaded.data} onChanged={again} />;
}

function Run({ page, onChanged }: { readonly page: Page; onChanged(): void }): JSX.Element {
  const { id, workload, startedAt, headline, isValid, isWhole, experiment, grade, durability } = page;
  return (
    <article>
      <p class="crumbs">
        <Link to="/">Runs</Link> / {id}
      </p>
      <h1>{workload}</h1>
      <p class={isValid && isWhole ? 'answer' : 'answer bad'}>{headline}</p>
      <div class="facts-line">
        <span>{momentText(startedAt)}</span>
        {grade !== undefined && (
          <span class={`chip grade-${grade.is.toLowerCase()}`} title={grade.because.join(' ')}>
            grade {grade.is}
          </span>
        )}
        {durability !== undefined && durability.is !== 'unknown' && (
          <span class="chip" title={durability.because}>
            durability {durability.is}
          </span>
        )}
        {experiment !== undefined && (
          <Link to={`/experiments/${encodeURIComponent(experiment.id)}`}>
            {`${experiment.name} / ${experiment.variant}, block ${experiment.block}`}
          </Link>
        )}
        <Tags page={page} onChanged={onChanged} />
      </div>
      <Figures figures={page.figures} />
      {page.charts.length > 0 && (
        <section>
          <h2>Over time</h2>
          <div class="charts">
            {page.charts.map((chart) => (
              <Chart key={chart.title} chart={chart} />
            ))}
          </div>
          <Timeline page={page} />
        </section>
      )}
      <Diagnosis page={page} />
      <Findings page={page} />
      <Observed page={page} />
      <Tables page={page} />
      <Environment groups={page.environment} />
      <Reproduce page={page} />
    </article>
  );
}

function Tags({ page: { id, tags }, onChanged }: { readonly page: Page; onChanged(): void }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { isBusy, problems, perform } = useDeed();
  const change = (add: readonly string[], remove: readonly string[]) =>
    perform(async () => {
      await post(`/api/runs/${encodeURIComponent(id)}/tags`, { add, remove });
      setOpen(false);
      onChanged();
    });
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const written = String(new FormData(event.currentTarget as HTMLFormElement).get('tag') ?? '');
    change(
      written.split(/[\s,]+/).filter((tag) => tag !== ''),
      [],
    );
  };
  return (
    <span class="tags">
      {tags.map((tag) => (
        <span class="chip" key={tag}>
          {tag}
          <button
            type="button"
            class="remove"
            disabled={isBusy}
            aria-label={`Remove the tag ${tag}`}
            onClick={() => change([], [tag])}
          >
            ×
          </button>
        </span>
      ))}
      {isOpen ? (
        <form class="inline" onSubmit={onSubmit}>
          {/* It appears because somebody wants to write. */}
          <input name="tag" aria-label="New tag" required maxLength={100} size={12} autofocus />
          <button type="submit" class="small" disabled={isBusy}>
            Add
          </button>
        </form>
      ) : (
        <button type="button" class="plain small" onClick={() => setOpen(true)}>
          Add a tag
        </button>
      )}
      <Problems problems={problems} />
    </span>
  );
}

function Timeline({ page: { phases, events } }: { readonly page: Page }): JSX.Element | null {
  if (phases.length === 0 && events.length === 0) return null;
  const seconds = (value: number) => `${value.toFixed(1)} s`;
  return (
    <ul class="timeline">
      {phases.map(({ name, startS, endS }) => (
        <li key={`${name}-${startS}`}>
          <b>{name}</b> {seconds(startS)} to {seconds(endS)}
        </li>
      ))}
      {events.map(({ atS, is, id }) => (
        <li key={`${id}-${atS}`}>
          <b>at {seconds(atS)}</b> {is}
        </li>
      ))}
    </ul>
  );
}

const ROLES: Readonly<Record<Verdict['role'], string>> = {
  bottleneck: 'sets the pace',
  contributes: 'contributes',
  alarm: 'alarm',
};
const CEILINGS_SHOWN = 4;

function Diagnosis({ page: { diagnosis, budget } }: { readonly page: Page }): JSX.Element | null {
  if (diagnosis === undefined) return null;
  return (
    <section>
      <h2>What set the pace</h2>
      <p class="lead">{diagnosis.is}</p>
      {budget.length > 0 && (
        <div class="budget">
          <h3>The sessions' time</h3>
          <dl>
            {budget.map(({ name, share }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <span class="bar">
                    <span style={{ width: `${Math.min(100, share * 100)}%` }} />
                  </span>
                  <span class="value">{formatPercent(share)}</span>
                </dd>
              </div>
            ))}
          </dl>
        </div>
      )}
      {diagnosis.verdicts.map((verdict) => (
        <div class={`verdict-block ${verdict.role}`} key={verdict.id}>
          <h3>
            <span class="chip">{ROLES[verdict.role]}</span> {verdict.is}
          </h3>
          <Pairs
            pairs={[
              { name: 'Because', value: `${verdict.evidence.join('; ')}.` },
              { name: 'To confirm', value: verdict.confirmBy },
              { name: 'Advice', value: verdict.advice },
            ]}
          />
        </div>
      ))}
      {diagnosis.ceilings.length > 0 && (
        <>
          <h3>What could be reached</h3>
          <Pairs
            pairs={diagnosis.ceilings.slice(0, CEILINGS_SHOWN).map(({ of, perS, how }) => ({
              name: of,
              value: (
                <>
                  {formatRate(perS)} <span class="quiet">{how}</span>
                </>
              ),
            }))}
          />
        </>
      )}
    </section>
  );
}

function Findings({ page: { findings, crossCheck, grade } }: { readonly page: Page }): JSX.Element {
  const check =
    crossCheck.is === 'impossible'
      ? { tone: 'warn', text: `Not possible: ${crossCheck.because}` }
      : crossCheck.ok
        ? { tone: 'good', text: `The server counted what was sent: ${crossCheck.rows.length} counters agree.` }
        : { tone: 'bad', text: 'The server counted something else than was sent.' };
  return (
    <section>
      <h2>How far to trust it</h2>
      <ul class="findings">
        <li>
          <span class={`chip ${check.tone}`}>cross-check</span>
          <div>{check.text}</div>
        </li>
        {grade?.because.map((reason) => (
          <li key={reason}>
            <span class="chip">grade {grade.is}</span>
            <div>{reason}</div>
          </li>
        ))}
        {findings.map(({ id, severity, is, because, remedy }) => (
          <li key={`${id}-${is}`}>
            <span class={`chip ${severity === 'invalid' ? 'bad' : severity === 'warning' ? 'warn' : ''}`}>
              {severity}
            </span>
            <div>
              {is} <span class="quiet">{because}</span>
              <div class="remedy">{remedy}</div>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Observed({ page: { observed } }: { readonly page: Page }): JSX.Element | null {
  if (observed.length === 0) return null;
  return (
    <section>
      <h2>Server, host and client meanwhile</h2>
      {observed.map(({ title, charts, zero }) => (
        <Folded key={title} title={title}>
          {() => (
            <div class="charts">
              {charts.map((chart) => (
                <Chart key={`${chart.title}-${chart.unit}`} chart={chart} />
              ))}
              {zero.length > 0 && <p class="quiet">Zero all the time: {zero.join(', ')}.</p>}
            </div>
          )}
        </Folded>
      ))}
    </section>
  );
}

/** Fifty charts are not drawn before somebody wants to see them. */
function Folded({ title, children }: { readonly title: string; readonly children: () => JSX.Element }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  );
}

function Tables({ page: { tables } }: { readonly page: Page }): JSX.Element {
  return (
    <section>
      <h2>Figures</h2>
      {tables.map(({ title, note, isFolded, table }) =>
        isFolded === true ? (
          <details key={title}>
            <summary>{title}</summary>
            {note !== undefined && <p class="quiet">{note}</p>}
            <DataTable table={table} caption={title} />
          </details>
        ) : (
          <section key={title}>
            <h3>
              {title} {note !== undefined && <small>{note}</small>}
            </h3>
            <DataTable table={table} caption={title} />
          </section>
        ),
      )}
    </section>
  );
}

function Environment({ groups }: { readonly groups: readonly FactGroup[] }): JSX.Element {
  return (
    <section>
      <h2>Environment</h2>
      {groups.map(({ title, facts }) => (
        <details key={title}>
          <summary>{title}</summary>
          <Pairs pairs={facts} />
        </details>
      ))}
    </section>
  );
}

function Reproduce({ page: { id, command, forms } }: { readonly page: Page }): JSX.Element {
  return (
    <section>
      <h2>Do it again, or take it along</h2>
      <Copied text={command} />
      <SaveAs path={`/api/runs/${encodeURIComponent(id)}`} id={id} forms={forms} />
    </section>
  );
}
