import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { caseOf } from '../../test/support/doctor.ts';
import { countsOf } from '../cli/doctor-text.ts';
import { fixesOf, preflightChecks } from '../doctor/examine.ts';
import { CHECKUP_FORMAT, type Checkup } from './checkup.ts';
import { checkupJsonSchema, checkupSchema } from './checkup-schema.ts';

const PUBLISHED = fileURLToPath(new URL('../../schema/checkup.schema.json', import.meta.url));

test('the published schema is the one made from the types; after a change: npx vitest run src/model -u', async () => {
  await expect(`${JSON.stringify(checkupJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(PUBLISHED);
});

/** With something of every level, and commands of both kinds. */
async function checkup(): Promise<Checkup> {
  const { collected, plan } = caseOf({
    serverHost: { facts: { 'datadir.filesystem': 'tmpfs', 'cpu.governor': 'powersave', 'cpu.turbo': true } },
    server: { clock: { is: 'unseen', because: 'It is hidden.' } },
    variables: { innodb_flush_log_at_trx_commit: '0' },
  });
  const checks = await preflightChecks(collected, plan);
  return {
    format: CHECKUP_FORMAT,
    sqldyno: { version: '0.1.0' },
    examined: { server: 'db1:3306', workload: null },
    tookS: 10.2,
    counts: countsOf(checks),
    checks,
    fixes: fixesOf(checks),
  };
}

test('what the doctor says is accepted after a journey through JSON, and nothing of it is lost', async () => {
  const whole = await checkup();
  const said = { levels: new Set(whole.checks.map(({ level }) => level)), fixes: whole.fixes.map(({ kind }) => kind) };
  expect(said.levels.size).toBeGreaterThanOrEqual(4);
  expect(said.fixes).toEqual(expect.arrayContaining(['shell', 'sql']));
  const travelled: unknown = JSON.parse(JSON.stringify(whole));
  expect(checkupSchema.parse(travelled)).toEqual(travelled);
});

describe('it is refused where', () => {
  test.each<{ because: string; change: (whole: Checkup) => object }>([
    { because: 'the format is another', change: () => ({ format: 'sqldyno.checkup/2' }) },
    { because: 'there is a field too many', change: () => ({ host: 'db1' }) },
    { because: 'a level is counted that is none', change: ({ counts }) => ({ counts: { ...counts, fatal: 1 } }) },
    { because: 'a level is not counted', change: ({ counts: { ok: _, ...counts } }) => ({ counts }) },
    { because: 'a check is of no place', change: ({ checks }) => ({ checks: [{ ...checks[0], of: 'moon' }] }) },
  ])('$because', async ({ change }) => {
    const whole = await checkup();
    expect(checkupSchema.safeParse({ ...whole, ...change(whole) }).success).toBe(false);
  });
});
