import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../base/errors.ts';
import type { ExperimentPlan } from '../../../model/experiment.ts';
import { draftExperiments, type ReadFileOptions, readExperimentFile, readExperiments } from './read-file.ts';

const BUFFER_POOL = `
name: buffer-pool
question: Does a larger buffer pool make this faster?
settings: {innodb-flush-log-at-trx-commit: 1}
workload: oltp_read_only --tables=10 --table-size=100_000 --range-selects=off --db-ps-mode=disable
load: --threads=16 --time=10 --warmup-time=5
secondary: [p95(transaction)]
margin: 2%
pairs: 8
stop: sequential
start: {data: restored, cache: warm}
baseline: small
variants:
  large: {is: the seed's own, settings: {innodb_buffer_pool_size: 9G}}
  small:
    settings: {innodb_buffer_pool_size: 128M}
sizes:
  small:
    {pairs: 6, load: {time: 500ms}, workload: {tables: 2}, variants: {large: {settings: {innodb_buffer_pool_size: 1G}}}}
`;

const PATH = 'folder/pool.yaml';

function planOf(text: string, options: Partial<ReadFileOptions> = {}): ExperimentPlan {
  return readExperimentFile(text, { path: PATH, ...options }).plan;
}

/** Every line of the complaint, its hint last. */
function complaints(text: string, options: Partial<ReadFileOptions> = {}): string[] {
  try {
    planOf(text, options);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [...error.message.split('\n'), ...(error.hint === undefined ? [] : [error.hint])];
  }
  return [];
}

const TWO = 'workload: quiz\nvariants: {a: {}, b: {settings: {innodb_buffer_pool_size: 1G}}}\n';

test('a whole file is read', () => {
  expect(planOf(BUFFER_POOL)).toEqual({
    name: 'buffer-pool',
    question: 'Does a larger buffer pool make this faster?',
    target: 'private',
    workload: 'oltp_read_only',
    workloadOptions: { tables: 10, table_size: 100_000, range_selects: 'off' },
    loadOptions: { db_ps_mode: 'disable', threads: 16, time: 10, warmup_time: 5 },
    settings: { innodb_flush_log_at_trx_commit: '1' },
    variants: [
      { name: 'large', is: "the seed's own", settings: { innodb_buffer_pool_size: '9G' } },
      { name: 'small', settings: { innodb_buffer_pool_size: '128M' } },
    ],
    baseline: 'small',
    design: { is: 'blocks' },
    blocks: 8,
    stop: { is: 'sequential' },
    start: { data: 'restored', cache: 'warm' },
    metric: 'transactions/s',
    secondary: ['p95(transaction)'],
    marginShare: 0.02,
    seed: planOf(BUFFER_POOL).seed,
    dataSeed: 1,
    invalid: { stealShareMax: 0.1, errorShareMax: 0.05, swap: true, throttle: true, attemptsMax: 3 },
    notes: [],
  });
});

describe('defaults', () => {
  test('the least that is an experiment', () => {
    const plan = planOf(TWO);
    expect(plan).toMatchObject({
      name: 'pool',
      target: 'private',
      baseline: 'a',
      blocks: 8,
      marginShare: 0.02,
      stop: { is: 'fixed' },
      start: { data: 'restored', cache: 'warm' },
      metric: 'transactions/s',
    });
    expect(plan.seed).toBeGreaterThan(0);
    expect(planOf(TWO)).toEqual(plan);
    expect(planOf(`name: other\n${TWO}`).seed).not.toBe(plan.seed);
  });

  test('the data do not depend on the name, unless a seed is given for all', () => {
    expect(planOf(`name: other\n${TWO}`).dataSeed).toBe(planOf(TWO).dataSeed);
    expect(planOf(`seed: 7\n${TWO}`)).toMatchObject({ seed: 7 });
    expect(planOf(`seed: 7\n${TWO}`).dataSeed).toBeUndefined();
  });

  test('the data of a server that is not private is left as it is', () => {
    const text = 'target: mysql://me@db.example/test\nworkload: quiz\nvariants: {a: {}, b: {load: {threads: 8}}}';
    expect(planOf(text).start).toEqual({ data: 'kept', cache: 'warm' });
  });
});

describe('values that YAML would change stay as written', () => {
  test.each([
    { written: '9G', value: '9G', because: 'a unit is the servers business' },
    { written: 'on', value: 'on', because: 'YAML 1.1 makes true of it' },
    { written: 'no', value: 'no', because: 'YAML 1.1 makes false of it' },
    { written: 'NULL', value: 'NULL', because: 'YAML makes null of it, and secure_file_priv takes it' },
    { written: '0777', value: '0777', because: 'YAML 1.1 makes 511 of it' },
    { written: '1.10', value: '1.10', because: 'as a number it is 1.1' },
    { written: '12:30:45', value: '12:30:45', because: 'YAML 1.1 makes 45045 of it' },
    { written: '0x10', value: '0x10', because: 'it is 16 as a number' },
    { written: '1e3', value: '1e3', because: 'it is 1000 as a number' },
    { written: '', value: '', because: 'a bare name is a switch' },
    { written: "'a: b # c'", value: 'a: b # c', because: 'quotes protect' },
  ])('$written: $because', ({ written, value }) => {
    const plan = planOf(`workload: quiz\nsettings:\n  some_variable: ${written}\nvariants: {a: , b: }\n`);
    expect(plan.settings).toEqual({ some_variable: value });
  });

  test('a factor may be on or off', () => {
    const text = 'workload: quiz\nfactors:\n  on: {off: , on: {settings: {x: 1}}}\n';
    expect(planOf(text).variants.map(({ name }) => name)).toEqual(['on=off', 'on=on']);
  });

  test('whatever an option of a workload is, the command line gets it back', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double({ noNaN: true }).map(String), fc.stringMatching(/^[\w.+-]{1,12}$/)), (written) => {
        const plan = planOf(`workload: {name: quiz, x: '${written}'}\nvariants: {a: , b: }`);
        const shown = String(plan.workloadOptions['x']);
        expect(shown).toBe(/^\d{1,3}(_\d{3})+$/.test(written) ? written.replaceAll('_', '') : written);
      }),
    );
  });
});

describe('options', () => {
  test('a mapping and a line are alike', () => {
    const line = planOf(
      `workload: oltp_read_only --tables=2 --no-auto-inc\nload: --threads=4 --time=90\n${'variants: {a: , b: }'}`,
    );
    const mapping = planOf(
      'workload: {name: oltp_read_only, tables: 2, auto-inc: false}\nload: {threads: 4, time: 1.5min}\nvariants: {a: , b: }',
    );
    expect(line).toEqual(mapping);
    expect(line.workloadOptions).toEqual({ tables: 2, auto_inc: false });
    expect(line.loadOptions).toEqual({ threads: 4, time: 90 });
  });

  test('options of the load are known wherever they stand, under old names too', () => {
    const plan = planOf('workload: quiz --scale=10 --num-threads=4\nvariants: {a: {workload: --time=3}, b: }');
    expect(plan.workloadOptions).toEqual({ scale: 10 });
    expect(plan.loadOptions).toEqual({ threads: 4 });
    expect(plan.variants[0]).toEqual({ name: 'a', load: { time: 3 } });
  });

  test('lists are written with commas', () => {
    expect(planOf(`${TWO}load: {percentile: '50,95', mysql_ignore_errors: all}`).loadOptions).toEqual({
      percentile: '50,95',
      mysql_ignore_errors: 'all',
    });
  });
});

describe('factors', () => {
  const FACTORS = `
workload: quiz
factors:
  pool:
    {small: {settings: {innodb_buffer_pool_size: 128M}}, large: {is: 1 GiB, settings: {innodb_buffer_pool_size: 1G}}}
  hash: {off: , on: {settings: {innodb_adaptive_hash_index: ON}}}
`;

  test('every combination, the last changing fastest', () => {
    const plan = planOf(FACTORS);
    expect(plan.variants.map(({ name }) => name)).toEqual([
      'pool=small,hash=off',
      'pool=small,hash=on',
      'pool=large,hash=off',
      'pool=large,hash=on',
    ]);
    expect(plan.variants[3]).toEqual({
      name: 'pool=large,hash=on',
      is: '1 GiB, hash on',
      levels: { pool: 'large', hash: 'on' },
      settings: { innodb_buffer_pool_size: '1G', innodb_adaptive_hash_index: 'ON' },
    });
    expect(plan.baseline).toBe('pool=small,hash=off');
    expect(plan.design).toEqual({
      is: 'factorial',
      factors: [
        { name: 'pool', levels: ['small', 'large'] },
        { name: 'hash', levels: ['off', 'on'] },
      ],
    });
  });

  test('one at a time', () => {
    const plan = planOf(FACTORS, { overrides: ['design=one-at-a-time'] });
    expect(plan.variants.map(({ levels }) => levels)).toEqual([
      { pool: 'small', hash: 'off' },
      { pool: 'large', hash: 'off' },
      { pool: 'small', hash: 'on' },
    ]);
    expect(plan.design.is).toBe('one-at-a-time');
  });

  test('a matrix has no effects, and lists of values have names of their own', () => {
    const plan = planOf('workload: quiz\nmatrix: {load.threads: [1, 8], settings.innodb_buffer_pool_size: [1G, 2G]}');
    expect(plan.design).toEqual({ is: 'blocks' });
    expect(plan.variants[2]).toEqual({
      name: 'threads=8,innodb_buffer_pool_size=1G',
      is: 'threads 8, innodb_buffer_pool_size 1G',
      levels: { threads: '8', innodb_buffer_pool_size: '1G' },
      load: { threads: 8 },
      settings: { innodb_buffer_pool_size: '1G' },
    });
  });

  test('commands are entered in order, and left the other way round', () => {
    const text = 'workload: quiz\nmatrix: {a: {x: {enter: a+, leave: a-}, y: }, b: {x: {enter: b+, leave: b-}, y: }}';
    expect(planOf(text).variants[0]).toMatchObject({ enter: 'a+\nb+', leave: 'b-\na-' });
  });

  test.each([
    { is: 'a baseline', text: `${FACTORS}baseline: x`, says: 'The baseline of factors has the first level of each.' },
    { is: 'variants as well', text: `${FACTORS}variants: {a: }`, says: 'variants and factors both say what' },
    { is: 'one level', text: 'workload: quiz\nfactors: {pool: {small: }}', says: "The factor 'pool' needs two levels" },
    { is: 'none at all', text: 'workload: quiz\nfactors: {}', says: 'factors names none.' },
    {
      is: 'two that set one thing',
      text: 'workload: quiz\nmatrix: {a: {x: , y: {load: {threads: 2}}}, b: {x: , y: {load: {threads: 3}}}}',
      says: 'Two entries of matrix set threads.',
    },
    {
      is: 'too many',
      text: `workload: quiz\nmatrix: {load.threads: [${Array.from({ length: 65 }, (_, n) => n + 1)}]}`,
      says: '65 variants are more than 64',
    },
    { is: 'values of nothing', text: 'workload: quiz\nmatrix: {threads: [1, 2]}', says: "'threads' are is not said" },
  ])('refused: $is', ({ text, says }) => {
    expect(complaints(text).join('\n')).toContain(says);
  });
});

describe('names stand in the order in which they are written, whatever they are', () => {
  const names = (text: string, options: Partial<ReadFileOptions> = {}) =>
    planOf(`workload: quiz\n${text}`, options).variants.map(({ name }) => name);

  test('of variants, the first of which is the baseline', () => {
    const text = 'variants: {big: , 8: , 4: }';
    expect(names(text)).toEqual(['big', '8', '4']);
    expect(planOf(`workload: quiz\n${text}`).baseline).toBe('big');
    expect(names(text, { overrides: ['variants.2.load.threads=2'] })).toEqual(['big', '8', '4', '2']);
    expect(names(`${text}\nsizes: {s: {variants: {1: {load: {threads: 1}}}}}`, { size: 's' })).toEqual([
      'big',
      '8',
      '4',
      '1',
    ]);
  });

  test('of levels and of factors', () => {
    const text = 'factors:\n  pool: {base: , 64: {settings: {a: 1}}}\n  7: {y: , 3: {settings: {b: 1}}}';
    const all = ['pool=base,7=y', 'pool=base,7=3', 'pool=64,7=y', 'pool=64,7=3'];
    expect(names(text)).toEqual(all);
    const one = planOf(`workload: quiz\ndesign: one-at-a-time\n${text}`);
    expect(one.variants.map(({ name }) => name)).toEqual([all[0], all[2], all[1]]);
    expect(one.design).toEqual({
      is: 'one-at-a-time',
      factors: [
        { name: 'pool', levels: ['base', '64'] },
        { name: '7', levels: ['y', '3'] },
      ],
    });
    expect(one.variants[0]?.is).toBe('pool base, 7 y');
  });

  test('of lists of values', () => {
    expect(names('matrix: {load.threads: [64, 8, 16]}')).toEqual(['threads=64', 'threads=8', 'threads=16']);
  });
});

describe('sizes, overrides and parameters', () => {
  test('a size says what is otherwise', () => {
    const small = planOf(BUFFER_POOL, { size: 'small' });
    expect(small.blocks).toBe(6);
    expect(small.loadOptions).toMatchObject({ time: 0.5, threads: 16 });
    expect(small.workloadOptions).toMatchObject({ tables: 2, table_size: 100_000 });
    expect(small.variants[0]).toMatchObject({ is: "the seed's own", settings: { innodb_buffer_pool_size: '1G' } });
    expect(planOf(BUFFER_POOL, { size: 'full' })).toEqual(planOf(BUFFER_POOL));
  });

  test('what is set on the command line wins over a size', () => {
    const overrides = [
      'pairs=12',
      'load.time=30',
      'workload.table-size=5',
      'variants.large.settings.innodb-buffer-pool-size=2G',
    ];
    const plan = planOf(BUFFER_POOL, { size: 'small', overrides });
    expect(plan.blocks).toBe(12);
    expect(plan.loadOptions).toMatchObject({ time: 30 });
    expect(plan.workloadOptions).toMatchObject({ table_size: 5 });
    expect(plan.variants[0]?.settings).toEqual({ innodb_buffer_pool_size: '2G' });
  });

  test('variants can be made on the command line', () => {
    const overrides = ['variants.gp2.dataDirectory=/mnt/a=b', 'variants.gp3.dataDirectory=/mnt/gp3', 'prices.gp2=50'];
    expect(planOf('workload: quiz\n', { overrides }).variants).toEqual([
      { name: 'gp2', dataDirectory: '/mnt/a=b', pricePerMonth: 50 },
      { name: 'gp3', dataDirectory: '/mnt/gp3' },
    ]);
  });

  const PARAMETERS = `
parameters:
  first: {is: the folder on the first volume}
  scale: {is: users, default: 5}
workload: quiz --scale=\${scale}
variants:
  a: {dataDirectory: '\${first}/data', enter: 'echo \${HOME}'}
  b:
`;

  test('parameters stand in texts, and words of the shell are left alone', () => {
    const plan = planOf(PARAMETERS, { overrides: ['first=/mnt/a'] });
    expect(plan.variants[0]).toMatchObject({ dataDirectory: '/mnt/a/data', enter: 'echo ${HOME}' });
    expect(plan.workloadOptions).toEqual({ scale: 5 });
  });

  test('a parameter without a default must be given', () => {
    expect(complaints(PARAMETERS)).toEqual([
      "folder/pool.yaml:3:3: 'first' must be given: the folder on the first volume.",
      'Add --set=first=VALUE.',
    ]);
  });

  test.each([
    { override: 'paris=12', says: "--set=paris: 'paris' is no key of an experiment." },
    { override: 'load.tiem=12', says: "--set=load.tiem: 'tiem' is no option of the load." },
    { override: 'variants.a.settings.x', says: '--set=variants.a.settings.x: There is no = with a value behind it.' },
    { override: 'load..time=3', says: '--set=load..time: A part of the path is empty.' },
    { override: 'pairs=many', says: "--set=pairs: pairs must be a whole number from 1 to 30, not 'many'." },
    { override: 'target=mysql://u:geheim@h/d', says: '--set=target: A password has no place' },
  ])('$override is refused', ({ override, says }) => {
    const all = complaints(BUFFER_POOL, { overrides: [override] }).join('\n');
    expect(all).toContain(says);
    expect(all).not.toContain('geheim');
  });

  test('an unknown size', () => {
    expect(complaints(BUFFER_POOL, { size: 'tiny' })).toEqual([
      "--size=tiny: The file has no size 'tiny'.",
      'There are: full, small.',
    ]);
  });
});

describe('several experiments in one file', () => {
  const BOTH = `name: one\n${TWO}---\nname: two\n${TWO}`;

  test('are read in their order, or one by its name', () => {
    expect(readExperiments(BOTH, { path: PATH }).map(({ plan }) => plan.name)).toEqual(['one', 'two']);
    expect(planOf(BOTH, { only: 'two' }).name).toBe('two');
  });

  test('where one is wanted, they are named', () => {
    expect(complaints(BOTH)).toEqual([
      'folder/pool.yaml holds 2 experiments: one, two.',
      'Say which one with --only=NAME.',
    ]);
    expect(complaints(BOTH, { only: 'three' })[0]).toBe("folder/pool.yaml has no experiment 'three'.");
    expect(complaints(TWO, { only: 'three' })).toEqual([
      "folder/pool.yaml has no experiment 'three'.",
      'There are: pool.',
    ]);
    expect(planOf(TWO, { only: 'pool' }).name).toBe('pool');
    expect(complaints(`name: one\n${TWO}---\nname: one\n${TWO}`)[0]).toContain('two experiments with the name one');
  });
});

describe('complaints', () => {
  test('all at once, in the order of the file, each with line and column', () => {
    const text = `name: Buffer Pool
worload: quiz
load: {treads: 16, time: soon}
paris: 8
margin: 200%
variants:
  small: {setings: {a: 1}}
  large: 9G
`;
    expect(complaints(text)).toEqual([
      "folder/pool.yaml:1:1: name must be a name of small letters, digits and dashes, not 'Buffer Pool'.",
      'folder/pool.yaml:1:1: workload is missing. It must be a line of options, or a mapping.',
      "folder/pool.yaml:2:1: 'worload' is no key of an experiment. Did you mean workload?",
      "folder/pool.yaml:3:8: 'treads' is no option of the load. Did you mean --threads?",
      "folder/pool.yaml:3:20: --time must be a number, 0 or more, not 'soon'. Seconds, or with a unit: 500ms, 10s, 2min, 1h.",
      "folder/pool.yaml:4:1: 'paris' is no key of an experiment. Did you mean pairs?",
      "folder/pool.yaml:5:1: margin must be a share of more than 0 and less than 50 %, such as 2%, not '200%'.",
      "folder/pool.yaml:7:11: 'setings' is no key of a variant. Did you mean settings?",
      'folder/pool.yaml:8:3: variants.large must be a mapping with keys such as is, settings, global.',
    ]);
  });

  test('mistakes of form hide no other ones, and make none', () => {
    const text = `paris: 8
workload: [quiz]
metric: tps
secondary: ['p95(transaction)', 'p9x(transaction)']
baseline: nope
prices: {wrong: 1, large: 2}
variants: {small: {setings: {}}, large: 9G}
`;
    const where = complaints(text).map((line) => /^folder.pool.yaml:(\d+:\d+): ('\w*|[\w.]+)/.exec(line)?.slice(1));
    expect(where).toEqual([
      ['1:1', "'paris"],
      ['2:1', 'workload'],
      ['3:1', "'tps"],
      ['4:34', "'p9x"],
      ['5:1', 'The'],
      ['6:10', "'wrong"],
      ['7:20', "'setings"],
      ['7:34', 'variants.large'],
    ]);
  });

  test.each([
    { is: 'variants', text: 'paris: 6\nworkload: quiz\nvariants: x\nprices: {a: 1}\nbaseline: a' },
    { is: 'factors', text: 'paris: 6\nworkload: quiz\nfactors: {a: x, b: {one: , two: }}\nprices: {a=x: 1}' },
    { is: 'parameters', text: 'paris: 6\nworkload: quiz\nvariants: {a: , b: }\nparameters: {p: {default: 1}}' },
  ])('$is that are left out are told once', ({ text }) => {
    expect(complaints(text)).toHaveLength(2);
  });

  test('then what can be told of a file whose form is right', () => {
    const text = `workload: --tables=1 run
load: {treads: 16, time: soon}
metric: tps
baseline: smal
settings: {datadir: /tmp, port: 1}
prices: {medium: 4}
variants: {small: , large: {load: {thread: 4}, leave: x}}
`;
    expect(complaints(text)).toEqual([
      'folder/pool.yaml:1:1: The workload has no name. Begin the line with it, as in oltp_read_only --tables=10; or name it: {name: oltp_read_only}.',
      "folder/pool.yaml:1:22: 'run' does not belong here. An experiment prepares and runs by itself: leave it out.",
      "folder/pool.yaml:2:8: 'treads' is no option of the load. Did you mean --threads?",
      "folder/pool.yaml:2:20: --time must be a number, 0 or more, not 'soon'. Seconds, or with a unit: 500ms, 10s, 2min, 1h.",
      expect.stringMatching(/^folder\/pool.yaml:3:1: 'tps' is no metric. Did you mean transactions\/s\?/),
      "folder/pool.yaml:4:1: The baseline 'smal' is no variant. Did you mean small?",
      expect.stringMatching(/^folder\/pool.yaml:5:12: A private server decides --datadir itself\./),
      expect.stringMatching(/^folder\/pool.yaml:5:27: A private server decides --port itself\./),
      "folder/pool.yaml:6:10: 'medium' is no variant. There are: small, large.",
      "folder/pool.yaml:7:36: 'thread' is no option of the load. Did you mean --threads?",
      'folder/pool.yaml:7:48: leave undoes what enter did, and there is no enter. Add enter, or move the command there.',
    ]);
  });

  test('one alone has its remedy beside it', () => {
    expect(complaints(`${TWO}paris: 8`)).toEqual([
      "folder/pool.yaml:3:1: 'paris' is no key of an experiment.",
      'Did you mean pairs?',
    ]);
  });

  test.each([
    { is: 'a key twice', text: 'pairs: 6\npairs: 8', says: 'folder/pool.yaml:2:1: This key is there already.' },
    { is: 'a tab', text: 'load:\n\tthreads: 8', says: 'folder/pool.yaml:2:1: A tab begins this line' },
    { is: 'an open quote', text: 'name: "x', says: 'Something is not closed' },
    {
      is: 'a second colon',
      text: 'question: why: because',
      says: 'folder/pool.yaml:1:11: Here a mapping begins within',
    },
    { is: 'an at sign', text: 'name: @x', says: 'folder/pool.yaml:1:7: A value cannot begin with this character.' },
    { is: 'an open bracket', text: 'load: {a: 1\nb: 2', says: 'The indentation is not right' },
    { is: 'a list', text: '- a\n- b', says: 'folder/pool.yaml:1:1: An experiment is a mapping' },
    {
      is: 'a file of another kind',
      text: '\u007fELF\u0002\u0001\u0000',
      says: 'holds bytes that no text has.\nName a file',
    },
    {
      is: 'aliases that multiply',
      text: `a: &a [${'x, '.repeat(99)}]\nb: &b [${'*a, '.repeat(99)}]\nc: [${'*b, '.repeat(9)}]`,
      says: 'An experiment has some hundred: use fewer aliases',
    },
    {
      is: 'one level of a factor',
      text: 'workload: quiz\nfactors: {pool: {small: }}',
      says: "The factor 'pool' needs two",
    },
    {
      is: 'one level in a matrix',
      text: 'workload: quiz\nmatrix: {pool: {small: }}',
      says: "yaml:2:10: 'pool' needs two",
    },
    { is: 'nothing', text: '# nothing\n', says: 'folder/pool.yaml is empty.' },
    { is: 'an unknown alias', text: `${TWO}load: *base`, says: '*base names nothing above it.' },
    { is: 'an alias within itself', text: `${TWO}load: &l {a: *l}`, says: '*l lies within itself.' },
    { is: 'no variants', text: 'workload: quiz', says: 'There are no variants.' },
    { is: 'a name of a variant', text: 'workload: quiz\nvariants: {a b: , c: }', says: "'a b' cannot be a name." },
    {
      is: 'a list as workload',
      text: 'workload: [quiz]\nvariants: {a: , b: }',
      says: 'workload must be a line of options',
    },
    {
      is: 'a lone word',
      text: 'workload: quiz 10\nvariants: {a: , b: }',
      says: "pool.yaml:1:16: '10' is one word too many.",
    },
    {
      is: 'an option twice',
      text: 'workload: quiz --scale=1 --scale=2\nvariants: {a: , b: }',
      says: '--scale is given twice.',
    },
    {
      is: 'an option in both',
      text: 'workload: quiz --time=1\nload: --time=2\nvariants: {a: , b: }',
      says: 'time is given with',
    },
    {
      is: 'a design without factors',
      text: `${TWO}design: factorial`,
      says: 'A design is for factors, and here are variants.',
    },
    {
      is: 'a misspelt word',
      text: `${TWO}start: {data: restred}`,
      says: "must be restored, prepared or kept, not 'restred'",
    },
    { is: 'no target', text: `${TWO}target: localhost`, says: "'localhost' is no target." },
    { is: 'a misspelt key in a size', text: `${TWO}sizes: {small: {paris: 6}}`, says: "'paris' is no key of a size." },
    {
      is: 'an option file of a server that is not private',
      text: 'target: mysql://u@h/d\nworkload: quiz\nvariants: {a: , b: {settings: {x: 1}}}',
      says: 'pool.yaml:3:21: An option file is for private servers alone.',
    },
    {
      is: 'data put back on such a server',
      text: 'target: mysql://u@h/d\nworkload: quiz\nstart: {data: restored, cache: cold}\nvariants: {a: , b: }',
      says: 'pool.yaml:3:9: A data directory that is put back is for private servers alone.',
    },
  ])('$is', ({ text, says }) => {
    expect(complaints(text).join('\n')).toContain(says);
  });

  test('what is left out for looking further is no experiment', () => {
    const draft = draftExperiments(`workload: [quiz]\nvariants: {a: , b: }`, { path: PATH });
    expect(draft).toMatchObject({ problems: [{}], experiments: [{ isWorkloadKnown: false }] });
  });

  test('whatever is written, it is read or complained about', () => {
    const line = fc.constantFrom(
      ...BUFFER_POOL.split('\n'),
      'pairs:',
      '  - x',
      '- ',
      'factors: {a: [1, 2]}',
      'sizes: [a]',
      'variants: x',
      'variants: {a: [], b: {load: [], workload: {}}}',
      'parameters: {x: y}',
      'matrix: {load.threads: [1, {}]}',
      '---',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const text = lines.join('\n');
        try {
          readExperiments(text, { path: PATH, size: 'small' });
        } catch (error) {
          expect(error).toBeInstanceOf(UserError);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('notes', () => {
  test.each([
    { set: 'pairs=4', note: '4 pairs cannot give a verdict: it takes 6 at least, whatever they show.' },
    { set: 'pairs=6', note: 'The first look is at 6 pairs, so with 6 nothing can end early.' },
  ])('$set', ({ set, note }) => {
    expect(planOf(BUFFER_POOL, { overrides: [set] }).notes).toContain(note);
  });

  test('of what is measured, where it is written nearly as something that always is', () => {
    const notes = planOf(
      `${TWO}metric: p95(transactionn)\nsecondary: [p99(new_order), p99, 'max(statement.queue)']`,
    ).notes;
    expect(notes).toEqual([
      'p95(transactionn) is told only if the workload calls something of its own transactionn. Did you mean transaction?',
    ]);
  });

  test('of one variant', () => {
    expect(planOf('workload: quiz\nvariants: {only: }').notes[0]).toContain('compared with nothing');
  });
});

describe('where something is written', () => {
  const experiment = readExperimentFile(BUFFER_POOL, { path: PATH, overrides: ['load.threads=4'] });

  test.each([
    { path: ['workload', 'table_size'], shown: 'folder/pool.yaml:5:38' },
    { path: ['load', 'db_ps_mode'], shown: 'folder/pool.yaml:5:79' },
    { path: ['load', 'time'], shown: 'folder/pool.yaml:6:20' },
    { path: ['load', 'threads'], shown: '--set=load.threads' },
    { path: ['variants', 'small', 'settings', 'innodb_buffer_pool_size'], shown: 'folder/pool.yaml:16:16' },
    { path: ['secondary', 0], shown: 'folder/pool.yaml:7:13' },
    { path: ['invalid', 'steal'], shown: 'folder/pool.yaml:2:1' },
  ])('$path', ({ path, shown }) => {
    expect(experiment.at(path).shown).toBe(shown);
  });

  test('of a variant that factors have made', () => {
    const text = 'workload: quiz\nfactors:\n  n:\n    one: {load: {threads: 1}}\n    two: {load: {threads: 2}}\n';
    const { at } = readExperimentFile(text, { path: PATH });
    expect(at(['variants', 'n=one', 'load', 'threads'])).toMatchObject({ line: 4, column: 18 });
  });
});
