import { expect, test } from 'vitest';
import { stolenFindings } from './machine-host.ts';

const BEFORE = { user: 10, nice: 0, system: 5, idle: 100, iowait: 1, irq: 0, softirq: 0, steal: 3 };

test.each([
  { after: { ...BEFORE, user: 109.5, steal: 3.5 }, share: undefined, because: 'half a per cent is nobody' },
  { after: { ...BEFORE, user: 107, steal: 6 }, share: '3.0 %', because: 'three in a hundred are somebody' },
  { after: BEFORE, share: undefined, because: 'no time went by' },
  { after: undefined, share: undefined, because: 'it is not told' },
])('$because', ({ after, share }) => {
  const findings = stolenFindings(BEFORE, after);
  expect(findings.map(({ id }) => id)).toEqual(share === undefined ? [] : ['stolen-time']);
  if (share !== undefined) expect(findings[0]?.is).toContain(share);
});
