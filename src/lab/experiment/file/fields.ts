/**
 * The values of an experiment file. All come as texts and say themselves what they must look like; beside that stands
 * what an editor is told of them, where YAML's own numbers and booleans count too.
 */
import { z } from 'zod';
import { nearest } from '../../../base/did-you-mean.ts';

/** Between the sentence of a problem and its remedy. */
export const REMEDY = '\t';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Read by `override` of `z.toJSONSchema`: the whole schema of a value, for editors. */
export const FOR_EDITORS = 'forEditors';

interface FieldOptions<T> {
  /** After `must be`: `a share, such as 2%`. */
  readonly is: string;
  readonly json: JsonSchema;
  /** Undefined where the text is no such value. */
  read(text: string): T | undefined;
}

function field<T>({ is, json, read }: FieldOptions<T>) {
  return z
    .string({ error: `must be ${is}` })
    .meta({ [FOR_EDITORS]: json })
    .transform((text, context): T => {
      const value = read(text.trim());
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', message: `must be ${is}, not '${text}'` });
      return z.NEVER;
    });
}

export function text(description: string) {
  return z.string({ error: 'must be a text' }).meta({ [FOR_EDITORS]: { type: 'string', description } });
}

/** A text of any form, for which YAML has numbers and booleans too. */
export function value(description: string) {
  const type = ['string', 'number', 'boolean'];
  return z.string({ error: 'must be a single value' }).meta({ [FOR_EDITORS]: { type, description } });
}

/** A name that may stand in a file name, a tag and a table. */
export function name(description: string) {
  return field({
    is: 'a name of small letters, digits and dashes',
    json: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]*$', description },
    read: (written) => (/^[a-z0-9][a-z0-9-]*$/.test(written) ? written : undefined),
  });
}

export function wholeNumber({ min, max, description }: { min: number; max: number; description: string }) {
  return field({
    is: `a whole number from ${min} to ${max}`,
    json: { type: 'integer', minimum: min, maximum: max, description },
    read: (written) => {
      const value = Number(written);
      return /^\d+$/.test(written) && value >= min && value <= max ? value : undefined;
    },
  });
}

/** `2%`, `2 %` or `0.02`. */
export function share({ below, description }: { below: number; description: string }) {
  return field({
    is: `a share of more than 0 and less than ${below * 100} %, such as 2%`,
    json: {
      anyOf: [
        { type: 'string', pattern: '^\\d+(\\.\\d+)? ?%$' },
        { type: 'number', minimum: 0, exclusiveMaximum: below },
      ],
      description,
    },
    read: (written) => {
      const match = /^(\d+(?:\.\d+)?|\.\d+) ?(%?)$/.exec(written);
      if (match === null) return undefined;
      // 7 / 100 is exact to the last digit where 7 * 0.01 is not.
      const value = match[2] === '%' ? Number(match[1]) / 100 : Number(match[1]);
      return value > 0 && value < below ? value : undefined;
    },
  });
}

export function yesOrNo(description: string) {
  return field({
    is: 'yes or no',
    json: { enum: [true, false, 'yes', 'no', 'on', 'off'], description },
    read: (written) => {
      if (/^(?:yes|true|on)$/i.test(written)) return true;
      return /^(?:no|false|off)$/i.test(written) ? false : undefined;
    },
  });
}

export function money(description: string) {
  return field({
    is: 'an amount without its currency, such as 40 or 257.50',
    json: { type: 'number', exclusiveMinimum: 0, description },
    read: (written) => (/^\d+(\.\d+)?$/.test(written) && Number(written) > 0 ? Number(written) : undefined),
  });
}

export function oneOf<const T extends string>(choices: readonly T[], description: string) {
  return z
    .string({ error: `must be ${listed(choices)}` })
    .meta({ [FOR_EDITORS]: { enum: choices, description } })
    .transform((written, context): T => {
      const found = choices.find((choice) => choice === written.trim().toLowerCase());
      if (found !== undefined) return found;
      const meant = nearest(written, choices);
      const remedy = meant === undefined ? '' : `${REMEDY}Did you mean ${meant}?`;
      context.addIssue({ code: 'custom', message: `must be ${listed(choices)}, not '${written}'${remedy}` });
      return z.NEVER;
    });
}

/** Texts by name. A bare key is a switch, `skip_name_resolve:`, and has an empty text. */
export function textByName(description: string) {
  return z.record(z.string(), z.string({ error: 'must be a single value' }), { error: 'must be a mapping' }).meta({
    [FOR_EDITORS]: {
      type: ['object', 'null'],
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
      description,
    },
  });
}

/** A list, or one text with commas. */
export function listOf(description: string) {
  return z
    .union([z.array(z.string()), z.string()], { error: 'must be a list of texts' })
    .transform((written) => (typeof written === 'string' ? written.split(',') : written).map((item) => item.trim()))
    .transform((items) => items.filter((item) => item !== ''))
    .meta({
      [FOR_EDITORS]: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }], description },
    });
}

/** Texts whose commas are their own. */
export function sentences(description: string) {
  return z.array(z.string({ error: 'must be a sentence' }), { error: 'must be a list of sentences' }).meta({
    [FOR_EDITORS]: { type: 'array', items: { type: 'string' }, description },
  });
}

/** A mapping whose keys are these and no others. `of` completes "is no key of". */
export function mapping<S extends z.ZodRawShape>(of: string, shape: S, description?: string) {
  const keys = Object.keys(shape);
  const schema = z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, of, keys)).join('\n');
      return `must be a mapping with keys such as ${keys.slice(0, 3).join(', ')}`;
    },
  });
  return description === undefined ? schema : schema.describe(description);
}

function unknownKey(key: string, of: string, keys: readonly string[]): string {
  const meant = nearest(key, keys);
  const remedy = meant === undefined ? `Its keys are ${keys.join(', ')}.` : `Did you mean ${meant}?`;
  return `'${key}' is no key of ${of}.${REMEDY}${remedy}`;
}

function listed(choices: readonly string[]): string {
  const last = choices.at(-1) ?? '';
  return choices.length < 2 ? last : `${choices.slice(0, -1).join(', ')} or ${last}`;
}
