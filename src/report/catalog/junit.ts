/** Whether runs can be relied on, as JUnit's XML: what a pipeline shows beside its tests. */
import { formatSignificant } from '../../base/units.ts';
import type { RunRecord } from '../../model/run.ts';
import { importedRows } from '../imported-run.ts';
import { type JunitCase, type JunitSuite, junitXml } from '../junit-xml.ts';
import { latencyOfAll, percentilesMs, percentilesShown } from '../percentiles.ts';
import { defineReport } from '../report.ts';
import { errorCountOf, invalidFindings, runHeadline } from '../run-headline.ts';
import { endingText } from '../sections/run.ts';

export default defineReport({
  summary: 'JUnit XML for pipelines: whether each run ended as planned, and can be relied on.',
  extension: 'xml',
  render: ({ runs }) => junitXml(runs.map(suiteOf)),
});

function suiteOf(run: RunRecord): JunitSuite {
  const cases: readonly Omit<JunitCase, 'group'>[] = [ending(run), findings(run), crossCheck(run), replies(run)];
  return {
    name: run.id,
    startedAt: run.startedAt,
    properties: propertiesOf(run),
    cases: [...cases, ...rules(run)].map((each) => ({ ...each, group: `sqldyno.${run.workload.name}` })),
  };
}

const PASSED = { is: 'passed' } as const;

function ending(run: RunRecord): Omit<JunitCase, 'group'> {
  const { kind } = run.ending;
  const isWhole = kind === 'time' || kind === 'events';
  return {
    name: 'the run ends as planned',
    timeS: run.totals.elapsedS,
    outcome: isWhole ? PASSED : { is: 'failed', type: kind, because: endingText(run.ending) },
    output: runHeadline(run),
  };
}

function findings({ findings: all }: RunRecord): Omit<JunitCase, 'group'> {
  const invalid = invalidFindings(all);
  const told = all.filter(({ severity }) => severity !== 'invalid');
  const because = invalid.map(({ id, ...finding }) => `${finding.is} ${finding.because} ${finding.remedy} (${id})`);
  return {
    name: 'the run proves something',
    outcome: because.length === 0 ? PASSED : { is: 'failed', type: 'invalid', because: because.join('\n') },
    output: told.map(({ severity, is, remedy }) => `${severity}: ${is} ${remedy}`).join('\n'),
  };
}

function crossCheck({ crossCheck: check }: RunRecord): Omit<JunitCase, 'group'> {
  const name = 'client and server count the same';
  if (check.is === 'impossible') return { name, outcome: { is: 'skipped', because: check.because } };
  if (check.ok) return { name, outcome: PASSED };
  const differing = check.rows.filter(({ client, server }) => client !== server);
  const because = differing.map(({ counter, client, server }) => `${counter}: client ${client}, server ${server}`);
  return { name, outcome: { is: 'failed', type: 'cross-check', because: because.join('; ') } };
}

function replies({ totals }: RunRecord): Omit<JunitCase, 'group'> {
  const wrong = totals.errors.filter(({ policy }) => policy === 'validation');
  const because = wrong.map(({ count, example }) => `${count} x ${example}`).join('; ');
  const outcome: JunitCase['outcome'] = wrong.length === 0 ? PASSED : { is: 'failed', type: 'validation', because };
  return { name: 'every reply is what the workload expects', outcome };
}

/** Of its workload, where it has some. */
function rules({ conformance = [] }: RunRecord): Omit<JunitCase, 'group'>[] {
  return conformance.map(({ is, measured, wanted, conforms, note = '' }) => {
    const because = `${measured}; wanted: ${wanted}. ${note}`.trim();
    if (conforms === 'no') return { name: is, outcome: { is: 'failed', type: 'conformance', because } };
    return { name: is, outcome: conforms === 'yes' ? PASSED : { is: 'skipped', because } };
  });
}

function propertiesOf(run: RunRecord): Record<string, string> {
  if (run.imported !== undefined) return Object.fromEntries(importedRows(run));
  const { target, rates, load, tags } = run;
  const latency = latencyOfAll(run);
  const percentiles = latency.count === 0 ? [] : percentilesShown(load.percentiles);
  const valuesMs = percentilesMs(latency, percentiles);
  return {
    server: `${target.flavor} ${target.version}`,
    threads: String(load.threads),
    tags: tags.join(','),
    'transactions/s': rates.transactionsPerS.toFixed(3),
    'statements/s': rates.statementsPerS.toFixed(3),
    ...Object.fromEntries(percentiles.map((percentile, at) => [`p${percentile} ms`, formatSignificant(valuesMs[at]!)])),
    errors: String(errorCountOf(run)),
  };
}
