/** An experiment as its page shows it: pure. */
import { shellQuoted } from '../base/shell-words.ts';
import type { ExperimentRecord, JournalEntry } from '../model/experiment.ts';
import { planFacts } from '../report/experiment-tables.ts';
import type { ExperimentSummary } from '../store/experiments.ts';
import type { ExperimentPage, ExperimentRow, ReportForm } from './api.ts';
import { resultData } from './result-data.ts';

export function experimentRow(summary: ExperimentSummary): ExperimentRow {
  const { directory: _directory, endedAt: _endedAt, ...row } = summary;
  return row;
}

export function experimentPage(
  record: ExperimentRecord,
  journal: readonly JournalEntry[],
  forms: readonly ReportForm[],
): ExperimentPage {
  const { id, plan, startedAt, endedAt, ending, result, command, runs } = record;
  const planned = new Map(runs.map((run) => [run.number, run]));
  const done = new Map(journal.flatMap((entry) => (entry.is === 'done' ? [[entry.number, entry.run]] : [])));
  return {
    id,
    name: plan.name,
    ...(plan.question === undefined ? {} : { question: plan.question }),
    startedAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(ending === undefined
      ? {}
      : { ending: { kind: ending.kind, ...('cause' in ending ? { cause: ending.cause } : {}) } }),
    facts: planFacts(plan).map(([name, value]) => ({ name, value })),
    command: command.map(shellQuoted).join(' '),
    runsPlanned: runs.length,
    runsDone: [...done].flatMap(([number, run]) => {
      const place = planned.get(number);
      return place === undefined ? [] : [{ ...place, run }];
    }),
    invalid: journal.flatMap((entry) =>
      entry.is === 'invalid' ? [{ number: entry.number, because: entry.because }] : [],
    ),
    ...(result === undefined ? {} : { result: resultData(result, plan) }),
    forms,
  };
}
