/** A gate as JUnit's XML: a case for each run, each requirement and each comparison. */
import type { GateReport } from '../model/gate.ts';
import { measuredText } from './gate-tables.ts';
import { type JunitCase, junitXml } from './junit-xml.ts';

export function gateJunit(report: GateReport): string {
  const { runs, checks, comparisons, is, notes } = report;
  // Trends are drawn by these names, and ids are new each time.
  const groupOf = (run: string) => (runs.length === 1 ? 'sqldyno.gate' : `sqldyno.gate.${run}`);
  const cases: JunitCase[] = [
    ...runs.map(({ run, isValid, because = '' }) => ({
      group: groupOf(run),
      name: 'the run proves something',
      outcome: outcomeOf(isValid, 'invalid', because),
    })),
    ...checks.map((check) => ({
      group: groupOf(check.run),
      name: check.requirement.is,
      outcome: outcomeOf(check.isMet, 'requirement', check.because),
      output: `measured: ${measuredText(check)}`,
    })),
    ...comparisons.map(({ metric, of, baseline, verdict, isMet, because }) => ({
      group: `sqldyno.gate.${of}`,
      name: `${metric} against ${baseline}`,
      outcome: outcomeOf(isMet, verdict, because),
      output: `${verdict}: ${because}`,
    })),
  ];
  return junitXml([{ name: 'sqldyno gate', properties: { answer: is, ...noteProperties(notes) }, cases }]);
}

function noteProperties(notes: readonly string[]): Record<string, string> {
  return Object.fromEntries(notes.map((note, at) => [`note ${at + 1}`, note]));
}

function outcomeOf(isMet: boolean, type: string, because: string): JunitCase['outcome'] {
  return isMet ? { is: 'passed' } : { is: 'failed', type, because };
}
