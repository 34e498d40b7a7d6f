/** TPC-C-like: orders, payments and deliveries of a wholesaler, by the rules or as one of three tools has them. */
import { checkTpcc } from '../tpcc/check.ts';
import { inspectTpcc } from '../tpcc/check-ready.ts';
import { cleanupTpcc } from '../tpcc/cleanup.ts';
import { tpccConformance } from '../tpcc/conformance.ts';
import { tpccOwnTerms } from '../tpcc/conformance-own-terms.ts';
import { DEVIATION_NAMES, profilesWith } from '../tpcc/deviations.ts';
import { DEVIATIONS } from '../tpcc/deviations-table.ts';
import { prepareTpcc } from '../tpcc/load.ts';
import { problemsOfOptions, TPCC_OPTIONS } from '../tpcc/options.ts';
import { prewarmTpcc } from '../tpcc/prewarm.ts';
import { openTpccSession, tpccMix, tpccNeeds } from '../tpcc/transactions.ts';
import { defineWorkload } from '../workload.ts';

/** Loading looks at none of them. */
const OPTIONS_OF_RUNS: readonly string[] = ['trx_level', 'enable_purge', 'splittable'];

export default defineWorkload({
  summary: 'TPC-C-like: five types of transactions of a wholesaler with warehouses, judged by a sheet after the run.',
  details: [
    'Without --terminals every session works flat out and draws its warehouse; with --terminals=N, ten for each ' +
      'warehouse by the rules, N users key in and think, and the result has a cap.',
    '--profile says whose rules are kept. spec keeps them all. sysbench-tpcc, hammerdb and go-tpc do what those tools ' +
      'really do, so that their published figures can be compared; tpcc.lua in place of the name means the first of them.',
    '--deviations turns single deviations on, or with a minus in front off, so that one sees what each is worth. In brackets ' +
      'the profiles that have it:\n' +
      DEVIATION_NAMES.map((name) => `- ${name} (${profilesWith(name)}): ${DEVIATIONS[name].is}`).join('\n'),
  ],
  options: TPCC_OPTIONS,
  validate: problemsOfOptions,
  needs: tpccNeeds,
  mix: tpccMix,
  inspect: inspectTpcc,
  prepare: prepareTpcc,
  dataOptions: Object.keys(TPCC_OPTIONS).filter((name) => !OPTIONS_OF_RUNS.includes(name)),
  prewarm: prewarmTpcc,
  cleanup: cleanupTpcc,
  check: checkTpcc,
  conformance: tpccConformance,
  ownTerms: tpccOwnTerms,
  session: openTpccSession,
});
