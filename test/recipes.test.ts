/** Every recipe that is shipped, at both sizes: read, checked against what its workload declares, and put in order. */
import { describe, expect, test } from 'vitest';
import { UserError } from '../src/base/errors.ts';
import { resolveVariants } from '../src/cli/resolve-variants.ts';
import { cannotMatter } from '../src/lab/experiment/cannot-matter.ts';
import { dataBytesOf, writesData } from '../src/lab/experiment/data-size.ts';
import { estimate } from '../src/lab/experiment/estimate.ts';
import { type ReadFileOptions, readExperiments } from '../src/lab/experiment/file/read-file.ts';
import { findRecipe, listRecipes } from '../src/lab/experiment/recipes.ts';
import { schedule } from '../src/lab/experiment/schedule.ts';
import type { ExperimentPlan } from '../src/model/experiment.ts';
import { planText } from '../src/report/experiment-plan-text.ts';
import { loadWorkload, workloadNames } from '../src/workload/find.ts';

const LINE_WORLD = { workloadNames: workloadNames(), loadWorkload, readText: () => '' };
const FOLDERS = ['first=/mnt/first', 'second=/mnt/second'];
/** "In minutes on two cores": each experiment of a recipe. */
const SMALL_S_MAX = 15 * 60;
const NAMES = [
  'buffer-pool',
  'commit-durability',
  'default-vs-tuned',
  'does-the-desktop-matter',
  'hypervisors',
  'pi-first-benchmark',
  'quickstart',
  'quiz-three-settings',
  'volumes',
];

function plansOf(name: string, options: Partial<ReadFileOptions> = {}): ExperimentPlan[] {
  const overrides = [...(name === 'volumes' ? FOLDERS : []), ...(options.overrides ?? [])];
  const read = readExperiments(findRecipe(name).text, { path: name, ...options, overrides });
  return read.map(({ plan }) => plan);
}

/** All experiments of all recipes at this size, with what is known of their variants. */
async function resolved(size: string) {
  const plans = NAMES.flatMap((name) => plansOf(name, { size }));
  return Promise.all(plans.map(async (plan) => ({ plan, variants: await resolveVariants(plan, LINE_WORLD) })));
}

test('the recipes are these, each with its question', () => {
  expect(listRecipes().map(({ name }) => name)).toEqual(NAMES);
  for (const { question } of listRecipes()) expect(question).toMatch(/^[A-Z].{20,90}\?$/);
});

describe.each(['small', 'full'])('%s', (size) => {
  test('every option is one that the workload and the load declare', async () => {
    for (const { plan, variants } of await resolved(size)) {
      expect(variants.map(({ variant }) => variant.name)).toEqual(plan.variants.map(({ name }) => name));
    }
  });

  test('every run has its place, and enough pairs for a verdict', async () => {
    for (const { plan } of await resolved(size)) {
      expect(schedule(plan)).toHaveLength(plan.blocks * plan.variants.length);
      expect(plan.blocks).toBeGreaterThanOrEqual(6);
      expect(plan.variants.length).toBeGreaterThan(1);
      expect(plan.notes.filter((note) => note.includes('verdict'))).toEqual([]);
    }
  });

  test('what will happen is told within the width of a page', async () => {
    for (const { plan, variants } of await resolved(size)) {
      const shown = planText({ plan, runs: schedule(plan), estimate: estimate(plan, variants), beforehand: [] });
      expect(shown.replace(/\s+/g, ' ')).toContain(plan.question);
      expect(shown).toContain('How long it takes: about ');
      // A name of a variant is a word, and is not broken.
      const long = shown.split('\n').filter((line) => line.length > 80 && / .* /.test(line.trim()));
      expect(long).toEqual([]);
    }
  });
});

test('the small size takes minutes', async () => {
  const long = (await resolved('small')).map(({ plan, variants }) => {
    return { name: plan.name, totalS: estimate(plan, variants).totalS };
  });
  expect(long.filter(({ totalS }) => totalS > SMALL_S_MAX)).toEqual([]);
});

describe('what the seeds left open is asked', () => {
  test.each([
    { name: 'buffer-pool', metric: 'transactions/s', variants: ['default', 'large'], size: 1_000_000 },
    { name: 'buffer-pool', metric: 'transactions/s', variants: ['most', '64M'], size: 1_000_000 },
  ])('$name: the data of the post, $variants', ({ name, metric, variants, size }) => {
    const plan = plansOf(name).find(({ variants: [first] }) => first?.name === variants[0]);
    expect(plan?.metric).toBe(metric);
    expect(plan?.variants.slice(0, 2).map((variant) => variant.name)).toEqual(variants);
    expect(Number(plan?.workloadOptions['tables']) * Number(plan?.workloadOptions['table_size'])).toBe(size);
    expect(plan?.loadOptions).toMatchObject({ threads: 16, time: 10, db_ps_mode: 'disable' });
  });

  test('default-vs-tuned: the four settings, every combination, or one at a time', () => {
    const [factorial] = plansOf('default-vs-tuned');
    expect(factorial?.variants).toHaveLength(16);
    expect(factorial?.design).toMatchObject({ is: 'factorial' });
    const [oneByOne] = plansOf('default-vs-tuned', { overrides: ['design=one-at-a-time'] });
    expect(oneByOne?.variants.map(({ name }) => name)).toEqual([
      'pool=small,method=fsync,neighbors=on,log=small',
      'pool=large,method=fsync,neighbors=on,log=small',
      'pool=small,method=O_DIRECT,neighbors=on,log=small',
      'pool=small,method=fsync,neighbors=off,log=small',
      'pool=small,method=fsync,neighbors=on,log=large',
    ]);
  });

  test('commit-durability: 1, 2 and 0, on one connection and on sixteen', () => {
    const values = plansOf('commit-durability').map(({ variants }) =>
      variants.map(({ settings }) => settings?.['innodb_flush_log_at_trx_commit']),
    );
    expect(values).toEqual([
      ['1', '2', '0'],
      ['1', '2', '0'],
    ]);
  });

  test('pi-first-benchmark: tpcc at 1 and 32 warehouses, reads and the quiz', () => {
    const plans = plansOf('pi-first-benchmark');
    expect(plans.map(({ workload }) => workload)).toEqual(['tpcc', 'oltp_read_only', 'quiz']);
    expect(plans[0]?.variants.map(({ workload }) => workload?.['scale'])).toEqual([1, 32]);
  });

  test('volumes: more of them, and their prices', () => {
    const overrides = ['variants.third.dataDirectory=/mnt/third', 'prices.third=257.50'];
    const [plan] = plansOf('volumes', { overrides });
    expect(plan?.variants).toEqual([
      { name: 'first', dataDirectory: '/mnt/first' },
      { name: 'second', dataDirectory: '/mnt/second' },
      { name: 'third', dataDirectory: '/mnt/third', pricePerMonth: 257.5 },
    ]);
    expect(() => readExperiments(findRecipe('volumes').text, { path: 'volumes' })).toThrow(
      /'first' must be given: a folder on the first volume/,
    );
  });

  test('does-the-desktop-matter: the commands of another host', () => {
    const [plan] = plansOf('does-the-desktop-matter', { overrides: ['shell=ssh pi sudo'] });
    expect(plan?.variants[1]).toMatchObject({
      enter: 'ssh pi sudo systemctl isolate multi-user.target && sleep 5',
      leave: 'ssh pi sudo systemctl isolate graphical.target',
    });
  });
});

describe('quiz-three-settings: what cannot matter is said before', () => {
  async function notes(flavor: 'mysql' | 'mariadb', version: string): Promise<string[]> {
    const [plan] = plansOf('quiz-three-settings');
    if (plan === undefined) throw new Error('the recipe is empty');
    const variants = await resolveVariants(plan, LINE_WORLD);
    const dataBytes = Math.max(...variants.map((each) => dataBytesOf(each) ?? 0));
    return cannotMatter(plan, { flavor, version, dataBytes, writes: variants.some(writesData) });
  }

  test('all three of them on MySQL 8.0', async () => {
    expect(await notes('mysql', '8.0.39')).toEqual([
      'innodb_adaptive_hash_index is ON in all variants, with MySQL 8.0.39: turning it on or to this value changes nothing.',
      'log_bin cannot matter here: it concerns writing, and the load only reads.',
      'innodb_buffer_pool_size cannot matter here: even 128M holds all data, about 4.1 MiB.',
    ]);
  });

  test('two of them on MariaDB, where the hash index is off', async () => {
    expect(await notes('mariadb', '10.11.6-MariaDB')).toEqual([
      'log_bin cannot matter here: it concerns writing, and the load only reads.',
      'innodb_buffer_pool_size cannot matter here: even 128M holds all data, about 4.1 MiB.',
    ]);
  });
});

test('a recipe that is misspelt', () => {
  expect(() => findRecipe('bufer-pool')).toThrow(UserError);
  try {
    findRecipe('bufer-pool');
  } catch (error) {
    expect((error as UserError).hint).toBe('Did you mean buffer-pool?');
  }
});
