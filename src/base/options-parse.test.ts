import { expect, test } from 'vitest';
import { choice, flag, integer, list, number, text } from './options.ts';
import { parseOptions, pickValues, splitOption, splitWords } from './options-parse.ts';

const SCHEMA = {
  threads: integer({ default: 1, min: 1, deprecated: ['num-threads'], help: '' }),
  rate: number({ default: 0, min: 0, max: 1000, help: '' }),
  skip_trx: flag({ default: false, help: '' }),
  auto_inc: flag({ default: true, help: '' }),
  name: text({ default: 'x', help: '' }),
  forced: text({ default: 'off', bare: '5%', help: '' }),
  rand_type: choice({ default: 'special', choices: ['special', 'uniform', 'verify-ca'], help: '' }),
  hosts: list({ default: ['localhost'], aliases: ['servers'], help: '' }),
  key: integer({ default: 0, secret: true, help: '' }),
} as const;

const isReserved = (word: string) => word === 'run';

function parse(...args: string[]) {
  const { options, words, problems } = splitWords(args, SCHEMA, isReserved);
  const parsed = parseOptions(options, SCHEMA, { helpCommand: 'prog help' });
  return { ...parsed, words, problems: [...problems, ...parsed.problems] };
}

test.each([
  { args: ['--threads=8'], values: { threads: 8 }, because: 'the usual way' },
  { args: ['--threads', '8'], values: { threads: 8 }, because: 'an option that wants a value takes the next word' },
  { args: ['--skip_trx'], values: { skip_trx: true }, because: 'a flag alone is on' },
  { args: ['--skip-trx=on'], values: { skip_trx: true }, because: 'dashes and underscores are alike' },
  { args: ['--skip-trx', 'on'], values: { skip_trx: true }, because: 'no workload is called on' },
  { args: ['--auto-inc=OFF'], values: { auto_inc: false }, because: 'case does not matter' },
  { args: ['--no-auto-inc'], values: { auto_inc: false }, because: 'a flag can be negated' },
  { args: ['--auto_inc=0'], values: { auto_inc: false }, because: 'sysbench takes 0 and 1' },
  { args: ['--rate=2.5e2'], values: { rate: 250 }, because: 'numbers have exponents' },
  { args: ['--forced'], values: { forced: '5%' }, because: 'bare has a meaning of its own' },
  { args: ['--forced=3'], values: { forced: '3' }, because: 'and a value another' },
  { args: ['--rand-type=VERIFY_CA'], values: { rand_type: 'verify-ca' }, because: 'choices are as lenient as names' },
  { args: ['--hosts=a, b'], values: { hosts: ['a', 'b'] }, because: 'spaces around items are none of theirs' },
  { args: ['--hosts='], values: { hosts: [] }, because: 'nothing is an empty list' },
  { args: ['--servers=a'], values: { hosts: ['a'] }, because: 'an alias is as good' },
  { args: ['--name='], values: { name: '' }, because: 'an empty text is a text' },
  { args: ['--name=a=b'], values: { name: 'a=b' }, because: 'the first sign separates' },
])('$args: $because', ({ args, values }) => {
  const parsed = parse(...args);
  expect(parsed.problems).toEqual([]);
  expect(parsed.values).toMatchObject(values);
  expect([...parsed.given]).toEqual(Object.keys(values));
  expect(parsed.words).toEqual([]);
});

test.each([
  { args: ['--thread=8'], is: 'Unknown option --thread.', remedy: 'Did you mean --threads?' },
  { args: ['--zebra'], is: 'Unknown option --zebra.', remedy: 'All options: prog help' },
  { args: ['--threads=0'], is: "--threads must be a whole number, 1 or more, not '0'." },
  { args: ['--threads=1.5'], is: "--threads must be a whole number, 1 or more, not '1.5'." },
  {
    args: ['--threads=99999999999999999999'],
    is: "--threads must be a whole number, 1 or more, not '99999999999999999999'.",
  },
  { args: ['--threads=0x10'], is: "--threads must be a whole number, 1 or more, not '0x10'." },
  { args: ['--rate=fast'], is: "--rate must be a number from 0 to 1000, not 'fast'." },
  { args: ['--rate=1e999'], is: "--rate must be a number from 0 to 1000, not '1e999'." },
  { args: ['--skip-trx=maybe'], is: "--skip-trx must be on or off, not 'maybe'." },
  { args: ['--no-skip-trx=on'], is: '--no-skip-trx takes no value.' },
  { args: ['--rand-type=zip'], is: "--rand-type must be one of special, uniform, verify-ca, not 'zip'." },
  { args: ['--hosts=a,,b'], is: "--hosts must be a list with commas, not 'a,,b'." },
  { args: ['--key=abc'], is: '--key must be a whole number, not what was given.' },
  {
    args: ['--threads', 'run'],
    is: '--threads needs a value: a whole number, 1 or more.',
    remedy: 'Write it like --threads=1',
  },
  { args: ['-t'], is: "'-t' is not known.", remedy: 'Options begin with two dashes, as in --threads=8.' },
])('$args: $is', ({ args, is, remedy }) => {
  expect(parse(...args).problems).toEqual([{ is, ...(remedy === undefined ? {} : { remedy }) }]);
});

test('all problems are told at once, in the order in which they were written', () => {
  const { problems } = parse('--threads=none', '--zebra', '--rate=-1');
  expect(problems.map(({ is }) => is.split(' ')[0])).toEqual(['--threads', 'Unknown', '--rate']);
});

test('a wrong value leaves the default', () => {
  expect(parse('--threads=none').values.threads).toBe(1);
});

test('an old spelling is taken, with a note', () => {
  const parsed = parse('--num-threads=4');
  expect(parsed.values.threads).toBe(4);
  expect(parsed.notes).toEqual(['--num-threads is an old spelling of --threads.']);
});

test('of an option given twice the last one counts, and it is said', () => {
  const parsed = parse('--threads=4', '--num_threads=8');
  expect(parsed.values.threads).toBe(8);
  expect(parsed.notes).toContain("--threads is given twice, '4' and then '8': the last one is used.");
});

test('the note about a repeated secret does not tell it', () => {
  expect(parse('--key=4', '--key=5').notes).toEqual(['--key is given twice: the last one is used.']);
});

test('a command line that corrects a file is no repetition', () => {
  const options = [splitOption('threads=4', 'line 1 of f'), splitOption('--threads=8')];
  expect(parseOptions(options, SCHEMA)).toMatchObject({ values: { threads: 8 }, notes: [], problems: [] });
});

test('a problem of a file names the line', () => {
  const { problems } = parseOptions([splitOption('threads=none', 'line 3 of f')], SCHEMA);
  expect(problems[0]?.is).toBe("--threads (line 3 of f) must be a whole number, 1 or more, not 'none'.");
});

test('words keep their order, and -- ends the options', () => {
  expect(parse('oltp', '--threads=2', 'run', '--', '--x').words).toEqual(['oltp', 'run', '--x']);
});

test('an unknown option takes no word', () => {
  expect(parse('--zebra', 'run').words).toEqual(['run']);
});

test('names that every object has are no options', () => {
  expect(parse('--constructor=1', '--__proto__=1').problems).toHaveLength(2);
});

test('values of one schema out of several', () => {
  expect(pickValues({ threads: SCHEMA.threads }, { threads: 3, other: 1 })).toEqual({ threads: 3 });
});

test('a repeatable option takes one item each time, commas and all', () => {
  const schema = { define: list({ default: ['x'], repeatable: true, placeholder: 'A=B', help: 'a value' }) };
  const parsed = (...args: string[]) => parseOptions(splitWords(args, schema).options, schema);
  expect(parsed().values.define).toEqual(['x']);
  expect(parsed('--define=a=1,2', '--define', 'b=2')).toMatchObject({
    values: { define: ['a=1,2', 'b=2'] },
    notes: [],
    problems: [],
  });
  expect(parsed('--define=').problems).toEqual([{ is: "--define must be a text, not ''." }]);
  expect(parsed('--define').problems).toMatchObject([{ remedy: 'Write it like --define=A=B' }]);
});
