/**
 * `npm run bench:diagnosis`: causes of slowness planted in real servers, several times each, and what the diagnosis
 * named first. Rows are planted, columns are named; wrong and missing verdicts stay in the table.
 */
import { parseArgs } from 'node:util';
import { applyLoad } from '../src/load/engine.ts';
import type { Verdict } from '../src/model/judgement.ts';
import type { RunRecord } from '../src/model/run.ts';
import { firstOf, type Plant, SITES, startSite, verdictOf } from '../test/support/plants.ts';
import { canSlowFlushes } from '../test/support/slow-flush.ts';
import { machineLine } from './process-cost.ts';

const NOTHING = 'nothing';

/** Of an alarm it does not matter what is said beside it; where nothing is wrong there must be no alarm either. */
function namedOf(record: RunRecord, { cause, as }: Plant): string {
  if (as === 'alarm' && cause !== undefined && verdictOf(record, cause) !== undefined) return cause;
  const alarm = cause === undefined ? alarmOf(record) : undefined;
  return firstOf(record)?.id ?? alarm?.id ?? NOTHING;
}

/** That other programs are running is true of a machine that others use, and stands in a column of its own. */
function alarmOf({ diagnosis }: RunRecord): Verdict | undefined {
  return diagnosis?.verdicts.find(({ role, id }) => role === 'alarm' && id !== 'other-processes');
}

interface Row {
  readonly plant: Plant;
  /** How often each was named first. */
  readonly named: Map<string, number>;
  /** How often the cause was among the verdicts and said what it should. */
  found: number;
  /** Of the processors that other programs had: the highest. */
  strangers: number;
}

function note(row: Row, record: RunRecord): void {
  const { plant } = row;
  const named = namedOf(record, plant);
  row.named.set(named, (row.named.get(named) ?? 0) + 1);
  const verdict = plant.cause === undefined ? undefined : verdictOf(record, plant.cause);
  const said = [verdict?.is, ...(verdict?.evidence ?? [])].join('; ');
  const isFound =
    plant.cause === undefined ? named === NOTHING : verdict !== undefined && said.includes(plant.saying ?? '');
  if (isFound) row.found++;
  row.strangers = Math.max(row.strangers, record.series?.['other_processes']?.measured['cpu_ratio'] ?? 0);
}

function tableOf(rows: readonly Row[], rounds: number): string {
  const columns = [...new Set(rows.flatMap(({ named }) => [...named.keys()]))].sort();
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const head = ['planted', 'should be named', ...columns, 'found', 'others'];
  return [
    line(head),
    line(head.map(() => '---')),
    ...rows.map(({ plant, named, found, strangers }) =>
      line([
        plant.name,
        wantedOf(plant),
        ...columns.map((column) => cellOf(named.get(column) ?? 0, column === (plant.cause ?? NOTHING))),
        `${found}/${rounds}`,
        `${Math.round(strangers * 100)} %`,
      ]),
    ),
  ].join('\n');
}

const RANKS = { first: '', named: ', at any rank', alarm: ', as an alarm' };

function wantedOf({ cause, as = 'first' }: Plant): string {
  return cause === undefined ? NOTHING : `${cause}${RANKS[as]}`;
}

function cellOf(count: number, isRight: boolean): string {
  if (count === 0) return '';
  return isRight ? `**${count}**` : String(count);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '5' }, only: { type: 'string', default: '' } },
  });
  const rounds = Number(values.rounds);
  const canTrace = canSlowFlushes();
  const rows: Row[] = [];
  console.log(`${machineLine()}; ${rounds} rounds${canTrace ? '' : '; without strace'}\n`);
  for (const site of SITES) {
    const plants = site.plants.filter(
      ({ name, needsStrace }) => name.includes(values.only) && (canTrace || needsStrace !== true),
    );
    const ofSite = plants.map((plant): Row => ({ plant, named: new Map(), found: 0, strangers: 0 }));
    if (ofSite.length === 0) continue;
    rows.push(...ofSite);
    await using ground = await startSite(site, applyLoad);
    for (let round = 1; round <= rounds; round++) {
      for (const row of ofSite) {
        const record = await row.plant.run(ground);
        note(row, record);
        console.log(`${round} ${row.plant.name}: ${namedOf(record, row.plant)}; ${record.diagnosis?.is}`);
      }
    }
  }
  console.log(`\n${tableOf(rows, rounds)}`);
}

await main();
