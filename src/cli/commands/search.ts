/** `sqldyno search`: the highest rate that keeps a limit, found by runs in the open loop. */
import { ExitCode } from '../../base/errors.ts';
import { formatDuration, formatRate } from '../../base/units.ts';
import { runSearch, type SearchRequest, type SearchView } from '../../lab/experiment/search.ts';
import type { LoadPlan } from '../../load/plan.ts';
import type { SearchResult } from '../../model/search.ts';
import { searchLines, trialLine } from '../../report/search-text.ts';
import { saveSearchResult } from '../../store/search-results.ts';
import { explainConnectError } from '../connect-errors.ts';
import { openTarget } from '../open-target.ts';
import { planOf } from '../plan-of.ts';
import { requestOf } from '../run-and-report.ts';
import { targetText } from '../run-header.ts';
import { openRunView } from '../run-view.ts';
import { readSearchLine, type SearchLine, searchHelp } from '../search-line.ts';
import type { Session } from '../session.ts';
import { jsonText } from '../terminal.ts';
import type { LineWorld } from '../workload-line.ts';

export async function searchCommand(args: readonly string[], session: Session, world: LineWorld): Promise<ExitCode> {
  const { terminal, interrupts } = session;
  const line = await readSearchLine(args, world);
  if (line === undefined) {
    terminal.say(searchHelp(terminal.columns));
    return ExitCode.done;
  }
  for (const note of line.notes) terminal.warn(`Note: ${note}`);
  const load = planOf(line.load);
  const target = await openTarget(line.load, { signal: interrupts.signal, onNote: (note) => terminal.warn(note) });
  for (const note of target.notes) terminal.warn(`Note: ${note}`);
  const plan = { ...load, targets: target.connections };
  terminal.say(`${targetText(target)}, seed ${plan.seed}`);
  terminal.say(`Looking for the highest rate of ${line.load.found.name} that keeps ${line.limit.is}.`);
  const request = requestFor(line, { plan, isPrivate: target.isPrivate }, session);
  const result = await runSearch(request, viewOf(session, plan), interrupts.signal).catch((error) => {
    throw explainConnectError(error, target.connections[0]!);
  });
  await saveSearchResult(request.storeDirectory, result).catch((error: Error) => {
    terminal.warn(`Note: the result could not be saved, and is shown here only: ${error.message}`);
  });
  for (const text of ['', ...searchLines(result)]) terminal.say(text);
  terminal.json(jsonText(result));
  if ('cause' in result.ending) terminal.warn(`sqldyno: The search ended early: ${result.ending.cause}`);
  return exitCodeOf(result);
}

function requestFor(
  { load: line, limit, repeats, precisionShare, rateMinPerS, rateMaxPerS }: SearchLine,
  { plan, isPrivate }: { readonly plan: LoadPlan; readonly isPrivate: boolean },
  { command }: Session,
): SearchRequest {
  const { observe, ...request } = requestOf({ line, plan, isPrivate }, command);
  return {
    ...request,
    // The doctor has looked once: what it finds does not change from run to run.
    ...(observe === undefined ? {} : { observe: { ...observe, examines: false } }),
    limit,
    settings: { repeats, precisionShare },
    ...(rateMinPerS === undefined ? {} : { rateMinPerS }),
    ...(rateMaxPerS === undefined ? {} : { rateMaxPerS }),
  };
}

function viewOf({ terminal, interrupts }: Session, { timeS, warmupS }: LoadPlan): SearchView {
  let heading = '';
  return {
    onStep: (step, left) => {
      const what = step === 'estimate' ? 'as fast as possible' : formatRate(step.ratePerS);
      const again = typeof step !== 'string' && step.because === 'confirm' ? ', tried again' : '';
      const leftText = step === 'estimate' ? '' : `, about ${formatDuration(left * (timeS + warmupS))} left`;
      heading = `  ${what}${again}${leftText}`;
    },
    openRun: (plan) => openRunView(terminal, { plan, reportIntervalS: 0, atOnce: interrupts.atOnce, heading }),
    onEstimate: ({ rates }) => terminal.say(`As fast as possible: ${formatRate(rates.transactionsPerS)}`),
    onTrial: (trial) => terminal.say(trialLine(trial)),
  };
}

function exitCodeOf({ ending }: SearchResult): ExitCode {
  if (ending.kind === 'interrupted') return ExitCode.interrupted;
  return ending.kind === 'failed' || ending.kind === 'unsettled' ? ExitCode.runFailed : ExitCode.done;
}
