/** A text of any kind in, everything that could be read from it out. Pure; never throws, whatever is pasted. */
import { readBenchbase } from './benchbase.ts';
import { readCommands } from './command.ts';
import type { CommandLine, ForeignDocument, MeasuredFacts, Tool } from './facts.ts';
import { readGoTpc } from './go-tpc.ts';
import { readHammerdb } from './hammerdb.ts';
import { readHostLogs } from './host-log.ts';
import { isBinary, linesOf } from './lines.ts';
import { readLoadPy } from './load-py.ts';
import { readMysqlslap } from './mysqlslap.ts';
import { readPgbench } from './pgbench.ts';
import { readResultColumns, readScores, readSettingRows } from './result-table.ts';
import { readSettingLines } from './settings.ts';
import { readSqlBench } from './sql-bench.ts';
import { readSysbench } from './sysbench.ts';
import { readTables, type TextTable } from './table.ts';

/** More results than this are a log to be cut up first: comparing each with each would take for ever. */
const MEASUREMENTS_MAX = 200;

const PROGRAMS: Readonly<Record<Tool, readonly string[]>> = {
  sysbench: ['sysbench', 'tpcc.lua'],
  mysqlslap: ['mysqlslap', 'mariadb-slap'],
  'sql-bench': ['test-ATIS'],
  'load.py': ['load.py'],
  HammerDB: ['hammerdbcli'],
  'go-tpc': ['go-tpc'],
  BenchBase: [],
  pgbench: ['pgbench'],
};

export function readDocument(text: string): ForeignDocument {
  if (isBinary(text)) {
    return { ...NOTHING, notes: ['This is no text: it has zero bytes in it.'] };
  }
  const lines = linesOf(text);
  const tables = readTables(lines);
  const columns = tables.map((table) => ({ table, found: readResultColumns(table) }));
  const prose = without(
    lines,
    columns.filter(({ found }) => found.length > 0).map(({ table }) => table),
  );
  const commands = readCommands(lines);
  const all = [
    ...readSysbench(prose),
    ...columns.flatMap(({ found }) => found),
    ...readLoadPy(lines),
    ...readMysqlslap(lines),
    ...readSqlBench(lines),
    ...readHammerdb(lines),
    ...readGoTpc(lines),
    ...readBenchbase(text),
    ...readPgbench(lines),
  ].sort((one, other) => one.firstLine - other.firstLine);
  const measurements = all.slice(0, MEASUREMENTS_MAX).map((facts) => withCommand(facts, commands, all));
  return {
    lines,
    measurements,
    commands,
    settings: [...tables.flatMap(readSettingRows), ...readSettingLines(lines)],
    scoreTables: tables.map(readScores).filter((table) => table !== undefined),
    hostLogs: readHostLogs(lines),
    notes:
      all.length > MEASUREMENTS_MAX
        ? [`${all.length} results are in it; only the first ${MEASUREMENTS_MAX} were looked at.`]
        : [],
  };
}

const NOTHING: Omit<ForeignDocument, 'notes'> = {
  lines: [],
  measurements: [],
  commands: [],
  settings: [],
  scoreTables: [],
  hostLogs: [],
};

/** Lines of a table would be read a second time, as a report of its first column. */
function without(lines: readonly string[], tables: readonly TextTable[]): readonly string[] {
  const rest = [...lines];
  for (const { firstLine, lastLine } of tables) rest.fill('', firstLine - 1, lastLine);
  return rest;
}

/** The nearest one before it that runs this tool; where a text has only one, it may stand behind the result. */
function withCommand(
  facts: MeasuredFacts,
  commands: readonly CommandLine[],
  all: readonly MeasuredFacts[],
): MeasuredFacts {
  const own = commands.filter(
    ({ program, verb }) => PROGRAMS[facts.tool].includes(program) && (verb === undefined || verb === 'run'),
  );
  const command = own.findLast(({ lastLine }) => lastLine < facts.firstLine) ?? (own.length === 1 ? own[0] : undefined);
  if (command === undefined) return facts;
  const { tool, table, firstLine, toolVersion } = facts;
  const isNext = !all.some(
    (other) =>
      other.tool === tool &&
      (table === undefined || other.table !== table) &&
      other.firstLine > command.lastLine &&
      other.firstLine < firstLine,
  );
  // A whole output, pasted behind that of the command, is another command's.
  return isNext || toolVersion === undefined ? { ...facts, command } : facts;
}
