/** R13: a server would have let so many connections in, and kept so many prepared statements. */
import type { ForeignDocument, MeasuredFacts } from '../../foreign-output/facts.ts';
import { count } from '../arithmetic.ts';
import { cannotTell, defineRule, type Judged, ofSteps, type Step } from '../rule.ts';
import { preparedPerConnection, threadsOf } from '../sizes.ts';
import { dataTold, limitTold, tablesAsked } from '../surroundings.ts';

/** What servers start with: https://dev.mysql.com/doc/refman/8.4/en/server-system-variables.html */
const CONNECTIONS_PRESET = 151;
const STATEMENTS_PRESET = 16_382;

export default defineRule({
  id: 'R13',
  title: 'the limits of the server let the load in: connections, prepared statements',
  check: (document) =>
    document.measurements.filter(({ tool }) => tool === 'sysbench').map((facts) => checkOne(facts, document)),
});

function checkOne(facts: MeasuredFacts, document: ForeignDocument): Judged {
  const threads = threadsOf(facts);
  if (threads === undefined) return cannotTell(facts, { is: 'How many threads there were is not said.' });
  const connections = limitStep(document, {
    name: 'max_connections',
    preset: CONNECTIONS_PRESET,
    needed: threads.value,
    how: `${count(threads.value)} connections (threads of ${threads.from})`,
    cell: threads.cell,
  });
  const steps = [connections, ...statementSteps(facts, document, threads.value)];
  return ofSteps(facts, steps, {
    passes: 'The limits that a server starts with are enough.',
    fails: 'With the limits that a server starts with, this load is refused.',
  });
}

function statementSteps({ command }: MeasuredFacts, document: ForeignDocument, threads: number): Step[] {
  if (command === undefined) return [];
  const told = dataTold(document)?.value.tables;
  const asked = tablesAsked(command);
  const cases = told === undefined || told === asked ? [asked] : [asked, told];
  return cases.flatMap((tables) => {
    const each = preparedPerConnection(command, tables);
    if (each === undefined || each === 0) return [];
    const which = tables === asked ? 'as the command has them' : 'as the text says';
    const how = `${count(threads)} x ${count(each)} = ${count(threads * each)} prepared statements for ${tables} table${tables === 1 ? '' : 's'}, ${which}`;
    return [
      limitStep(document, { name: 'max_prepared_stmt_count', preset: STATEMENTS_PRESET, needed: threads * each, how }),
    ];
  });
}

interface Need {
  readonly name: string;
  readonly preset: number;
  readonly needed: number;
  readonly how: string;
  readonly cell?: Step['cells'][number];
}

function limitStep(document: ForeignDocument, { name, preset, needed, how, cell }: Need): Step {
  const told = limitTold(document, name);
  // Who names the limit has met it, also where the number is not told.
  const limit = told === undefined ? preset : (told.value ?? needed);
  const holds = needed <= limit;
  const sign = holds ? '<=' : '>';
  const whose =
    told === undefined
      ? `${count(preset)}, which ${name} is by default${holds ? '' : '; the text says nothing of it'}`
      : `${name} of line ${told.line}`;
  return { holds, line: `${how} ${sign} ${whose}`, cells: [cell] };
}
