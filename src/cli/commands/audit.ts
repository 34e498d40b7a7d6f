/** `sqldyno audit FILE|-`: whether the figures of a report, a table or a pasted result hold together. */
import { auditText } from '../../audit/audit.ts';
import { ExitCode, UserError } from '../../base/errors.ts';
import { auditReportText } from '../../report/audit-text.ts';
import { readText, textName } from '../read-text.ts';
import { jsonText, type Terminal } from '../terminal.ts';

export async function auditCommand(source: string, terminal: Terminal): Promise<ExitCode> {
  const report = await auditText(await readText(source, terminal), source);
  if (report.results.length === 0 && report.checks.length === 0) {
    throw new UserError(`${textName(source)}: ${[report.verdict, ...report.notes].join(' ')}`, {
      hint: 'It reads what sysbench, mysqlslap, sql-bench, HammerDB, go-tpc, BenchBase and pgbench print, and tables of it.',
    });
  }
  terminal.json(jsonText(report));
  if (!terminal.wantsJson) terminal.say(auditReportText(report).trimEnd());
  const fails = report.checks.some(({ outcome }) => outcome === 'fails');
  return fails ? ExitCode.checkFailed : ExitCode.done;
}
