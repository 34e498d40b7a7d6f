/** The format of an experiment file: what its keys are, and what each of them takes. Told in docs/experiments.md. */
import { z } from 'zod';
import * as field from './fields.ts';
import { PAIRS_MAX } from './limits.ts';

/** Fewer cannot give a verdict: the exact sign-flip test stays above 0.05. */
export const PAIRS_FOR_VERDICT = 6;
export const ATTEMPTS_MAX = 20;
const SEED_MAX = 1_000_000_000;
/** What YAML itself makes of a value. */
const SCALAR = ['string', 'number', 'boolean'];

const changeShape = {
  is: field.text('In words, for tables: pool 9 GiB.').optional(),
  settings: field
    .textByName("As in the server's option file; the private server is started again for them. 9G stays 9G.")
    .optional(),
  global: field.textByName('SET GLOBAL while the server runs, put back afterwards.').optional(),
  persist: field.textByName('SET PERSIST, reset afterwards. MySQL 8 and later.').optional(),
  server: field.text("Path of the private server's program: another version, for one.").optional(),
  dataDirectory: field.text('The folder under which the private server keeps its data: on another device.').optional(),
  target: field.text('Another server: a URL without its password, or private:NAME.').optional(),
  connect: field.oneOf(['socket', 'tcp'], 'The way to a private server; socket if not given.').optional(),
  engine: field.text('Storage engine of the tables: InnoDB, RocksDB, Aria.').optional(),
  workload: options('Options of the workload that differ in this variant: {scale: 32}.').optional(),
  load: options('Options of the load that differ in this variant: {threads: 64}.').optional(),
  enter: field.text('Commands for the shell of this host before the first run of this variant in a block.').optional(),
  leave: field.text('Commands that undo it, after the last.').optional(),
};

/** A line as on the command line, or a mapping; here it has been spelt out as a mapping. */
function options(description: string) {
  return z
    .record(z.string(), z.string({ error: 'must be a single value' }), {
      error: 'must be a line of options, or a mapping',
    })
    .meta({
      [field.FOR_EDITORS]: {
        anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: { type: [...SCALAR, 'null'] } }],
        description,
      },
    });
}

const variant = field.mapping('a variant', changeShape);
const levels = z.record(z.string(), variant, { error: 'must be a mapping of levels, or a list of values' });
const factors = z.record(z.string(), levels, { error: 'must be a mapping of factors' });

const shape = {
  name: field.name('Of the experiment; the name of the file if not given.').optional(),
  question: field.text('What it is to answer, as a sentence.').optional(),
  parameters: z
    .record(
      z.string(),
      field.mapping('a parameter', {
        is: field.text('What it is, in words.'),
        default: field.value('Taken where --set says nothing; without one it must be given.').optional(),
      }),
      { error: 'must be a mapping of parameters' },
    )
    .describe('Values that --set=NAME=VALUE gives; $NAME in braces stands for them in all texts of the file.')
    .optional(),
  target: field
    .text('private (a server of its own, the default), private:NAME, or a URL without its password.')
    .optional(),
  settings: changeShape.settings,
  workload: options('A line such as: oltp_read_only --tables=10 --table-size=100000; or a mapping with its name.'),
  load: options('A line such as: --threads=16 --time=10; or a mapping: {threads: 16, time: 10s}.').optional(),
  metric: field.text('What decides: transactions/s if not given, or p99(transaction) and the like.').optional(),
  secondary: field.listOf('Shown too, corrected for their number.').optional(),
  margin: field
    .share({ below: 0.5, description: 'A difference smaller than this does not matter; 2% if not given.' })
    .optional(),
  pairs: field
    .wholeNumber({
      min: 1,
      max: PAIRS_MAX,
      description: 'How often each variant runs; 8 if not given, 6 for a verdict.',
    })
    .optional(),
  stop: field.oneOf(['fixed', 'sequential'], 'sequential: ends at 6, 10, 16 or 24 pairs where it is clear.').optional(),
  start: field
    .mapping('start', {
      data: field
        .oneOf(['restored', 'prepared', 'kept'], 'restored: as after prepare. prepared: made anew. kept: as left.')
        .optional(),
      cache: field
        .oneOf(['warm', 'cold', 'as it is'], 'warm: tables are read first. cold: the server is started again.')
        .optional(),
    })
    .optional(),
  seed: field
    .wholeNumber({
      min: 1,
      max: SEED_MAX,
      description: 'Of the order of runs and of their loads; from the name if not given.',
    })
    .optional(),
  invalid: field
    .mapping('invalid', {
      steal: field.share({ below: 1, description: 'Processor time that a hypervisor gave to others; 10%.' }).optional(),
      errors: field.share({ below: 1, description: 'Failed statements per committed transaction; 5%.' }).optional(),
      swap: field.yesOrNo('A run during which the host swapped does not count; yes.').optional(),
      throttle: field.yesOrNo('A run during which the processor was slowed down does not count; yes.').optional(),
      attempts: field
        .wholeNumber({ min: 1, max: ATTEMPTS_MAX, description: 'How often a run is tried before giving up; 3.' })
        .optional(),
    })
    .optional(),
  prices: z
    .record(z.string(), field.money('What a variant costs a month.'), { error: 'must be a mapping of variants' })
    .optional(),
  baseline: field.text('The variant that the others are compared with; the first if not given.').optional(),
  variants: z.record(z.string(), variant, { error: 'must be a mapping of variants' }).optional(),
  design: field
    .oneOf(['factorial', 'one-at-a-time'], 'Of factors: every combination, or one level changed at a time.')
    .optional(),
  factors: factors.describe('Levels of each, the first being the baseline; their effects are reckoned.').optional(),
  matrix: factors.describe('As factors; every combination is a variant, and no effects are reckoned.').optional(),
  notes: field.sentences('What should be known beforehand, each a sentence.').optional(),
};

/** What one size may say otherwise: the same keys. */
const size = field.mapping('a size', { ...shape, workload: shape.workload.optional() });

export const experimentSchema = field.mapping('an experiment', {
  ...shape,
  sizes: z
    .record(z.string(), size, { error: 'must be a mapping of sizes' })
    .describe('What --size=NAME says otherwise: {small: {pairs: 6, load: {time: 5}}}.')
    .optional(),
});

export type WrittenExperiment = z.infer<typeof experimentSchema>;
export type WrittenChange = z.infer<typeof variant>;

function replace(jsonSchema: object, by: field.JsonSchema): void {
  const copy = { ...by };
  for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Record<string, unknown>)[key];
  Object.assign(jsonSchema, copy);
}

/** For editors: published as schema/experiment.schema.json. */
export function experimentJsonSchema(): unknown {
  const schema = z.toJSONSchema(experimentSchema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const written = z.globalRegistry.get(zodSchema as never)?.[field.FOR_EDITORS];
      if (written !== undefined) replace(jsonSchema, written as field.JsonSchema);
      // `small:` with nothing behind it is a variant without changes, and a list of values is a list of levels.
      if (zodSchema === variant) replace(jsonSchema, { ...jsonSchema, type: ['object', 'null'] });
      if (zodSchema === levels) {
        replace(jsonSchema, { anyOf: [{ ...jsonSchema }, { type: 'array', items: { type: SCALAR }, minItems: 2 }] });
      }
    },
  });
  return {
    $id: 'urn:sqldyno:experiment-file:1',
    title: 'An experiment of sqldyno, as a file',
    ...schema,
  };
}
