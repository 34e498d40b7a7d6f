/** What is about to be done, as it is said before it begins. */
import { expect, test } from 'vitest';
import { loadPlan } from '../../test/support/load.ts';
import { loadWorkload, workloadNames } from '../workload/find.ts';
import type { OpenTarget } from './open-target.ts';
import { headerLines } from './run-header.ts';
import { readWorkloadLine } from './workload-line.ts';

const TARGET = {
  server: { flavor: 'mariadb', version: '11.4.2' },
  address: 'db1:3306',
  isPrivate: false,
  connections: [{ database: 'sbtest' }],
} as unknown as OpenTarget;

test.each([
  { isWarmupAuto: true, says: /, up to 5 min 00 s of warm-up,/ },
  { isWarmupAuto: false, says: /\), 5 min 00 s of warm-up,/ },
])('a warm-up that ends by itself is a limit, and another is not: $isWarmupAuto', async ({ isWarmupAuto, says }) => {
  const world = { workloadNames: workloadNames(), loadWorkload, readText: () => '' };
  const line = await readWorkloadLine(['oltp_read_only', 'run'], world);
  const lines = headerLines(line, TARGET, loadPlan({ warmupS: 300, isWarmupAuto, timeS: 60 }));
  expect(lines.map((text) => text.trim()).join(' ')).toMatch(says);
});
