/** The workload `script`: SQL files as transactions. */
import { defineWorkload, type Needs, type Session, type SessionContext } from '../workload.ts';
import { EXAMPLE_TABLES } from './example.ts';
import { setUp, tearDown } from './maintain.ts';
import { SCRIPT_OPTIONS, type ScriptOptions, withTexts } from './options.ts';
import { isExample, problemsOf, programOf } from './program.ts';
import { bindScript, placed, type ScriptWorld } from './run-script.ts';

export const scriptWorkload = defineWorkload({
  summary: 'SQL files of your own: each one a type of transaction, with variables, random numbers and conditions.',
  details: [
    'sqldyno ./transfer.sql run, or with several files and their weights: sqldyno script --file=transfer.sql@3 ' +
      '--file=report.sql@1 run. Statements end in a semicolon, and :NAME in them is the value of a variable.',
    'Lines that begin with a backslash are for sqldyno: \\set NAME EXPRESSION, \\gset NAME... (the columns of the row ' +
      'that the statement before returned), \\sleep 10 ms, \\if CONDITION, \\elif, \\else, \\endif. In docs/workloads.md ' +
      'are all functions and examples.',
  ],
  options: SCRIPT_OPTIONS,
  readFiles: withTexts,
  validate: problemsOf,
  needs,
  prepare: setUp,
  cleanup: tearDown,
  session: openSession,
});

function needs(options: ScriptOptions): Needs {
  const { statements } = programOf(options);
  const prepared = statements.filter(({ isText }) => !isText);
  return {
    statementsPerSession: prepared.length,
    writes: statements.some(({ kind }) => kind === 'write'),
    tables: isExample(options) ? EXAMPLE_TABLES : [],
    probes: prepared.filter(({ kind }) => kind !== 'other').map(({ sql }) => sql),
    statementBytesMax: Math.max(0, ...statements.map(({ sql }) => Buffer.byteLength(sql))),
  };
}

async function openSession(context: SessionContext<typeof SCRIPT_OPTIONS>): Promise<Session> {
  const { connection, random } = context;
  const { scripts } = programOf(context.options);
  const opened = new Map<object, ReturnType<ScriptWorld['statement']>>();
  const world: ScriptWorld = {
    random,
    pause: (ms) => context.pause(ms),
    statement: (planned, place) => {
      const { name, kind, sql, isText } = planned;
      const open = () => connection.statement(name, kind, sql, { text: isText });
      const known = opened.get(planned) ?? open().catch((error) => Promise.reject(placed(error, place)));
      // Files may share a statement: it is prepared once.
      opened.set(planned, known);
      return known;
    },
  };
  const session: Record<string, Session[string]> = {};
  for (const script of scripts) {
    if (script.weight === 0) continue;
    const run = await bindScript(script, world);
    session[script.name] = {
      weight: script.weight,
      transactional: script.isTransactional,
      run: ({ index }) => run(index),
    };
  }
  return session;
}
