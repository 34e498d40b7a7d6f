/** What a record says of the load that was asked for: enough to ask for the same again. */
import type { LoadSettings } from '../model/run.ts';
import type { LoadPlan, RandSettings } from './plan.ts';

export function settingsOf(plan: LoadPlan): LoadSettings {
  const { threads, workers, timeS, events, warmupS, ratePerS, arrivals, percentiles, preparedStatements } = plan;
  const { ignore, attemptsMax, lostConnection, reconnectEveryEvents } = plan.errors;
  const { eventsPerThread, terminals, terminalTimeFactor } = plan;
  const settings = {
    threads,
    workers,
    timeS,
    events,
    ...(eventsPerThread > 0 ? { eventsPerThread } : {}),
    warmupS,
    ...(plan.isWarmupAuto ? { isWarmupAuto: true } : {}),
    percentiles,
    preparedStatements,
    randType: plan.rand.scrambled ? `${plan.rand.type}, scrambled` : plan.rand.type,
    rand: parametersOf(plan.rand),
    errorPolicy: { ignore, attemptsMax, lostConnection, reconnectEveryEvents },
  };
  if (terminals > 0) return { mode: 'terminals', ...settings, terminals, terminalTimeFactor };
  return ratePerS > 0 ? { mode: 'open', ...settings, ratePerS, arrivals } : { mode: 'closed', ...settings };
}

/** Those that the type uses. */
function parametersOf(rand: RandSettings): Readonly<Record<string, number>> {
  switch (rand.type) {
    case 'uniform':
      return {};
    case 'gaussian':
      return { rand_spec_iter: rand.specIter };
    case 'special':
      return { rand_spec_iter: rand.specIter, rand_spec_pct: rand.specPct, rand_spec_res: rand.specRes };
    case 'pareto':
      return { rand_pareto_h: rand.paretoH };
    case 'zipfian':
      return { rand_zipfian_exp: rand.zipfianExp };
  }
}
