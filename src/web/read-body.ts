/** Bodies of requests: what is not as it should be is told in a sentence, and nothing is begun. */
import type { Context } from 'hono';
import { z } from 'zod';
import { BadRequest } from './failure.ts';

/** None of these is long; a limit each keeps nonsense out of command lines and messages. */
const WORD_LENGTH_MAX = 200;
const VALUE_LENGTH_MAX = 4_000;
const ITEMS_MAX = 200;
const TEXT_LENGTH_MAX = 200_000;

const name = z.string().max(WORD_LENGTH_MAX);
const OPTION_NAME = /^[a-z][a-z0-9_]*$/;
const options = z.record(z.string(), z.string().max(VALUE_LENGTH_MAX)).superRefine((values, context) => {
  const names = Object.keys(values);
  const refuse = (message: string, path: string[] = []) => context.addIssue({ code: 'custom', path, message });
  if (names.length > ITEMS_MAX) refuse(`has more than ${ITEMS_MAX} entries`);
  const wrong = names.find((each) => !OPTION_NAME.test(each));
  if (wrong !== undefined) refuse('is no name of an option', [wrong.slice(0, WORD_LENGTH_MAX)]);
});
const tag = z
  .string()
  .max(WORD_LENGTH_MAX)
  .regex(/^[^\s,+]+$/, 'is no tag: a tag has no spaces, commas and plus signs');
const target = z.discriminatedUnion('is', [
  z.strictObject({
    is: z.literal('private'),
    name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/i, 'is no name of a server'),
  }),
  z.strictObject({
    is: z.literal('server'),
    url: z
      .string()
      .max(VALUE_LENGTH_MAX)
      .regex(/^(?:mysql|mariadb):\/\//, 'must begin with mysql:// or mariadb://'),
    password: z.string().max(VALUE_LENGTH_MAX).optional(),
  }),
]);

export const BODIES = {
  run: z.strictObject({
    workload: name,
    options,
    target,
    tags: z.array(tag).max(ITEMS_MAX),
    prepares: z.boolean(),
  }),
  experiment: z.strictObject({
    of: z.union([z.strictObject({ recipe: name }), z.strictObject({ text: z.string().max(TEXT_LENGTH_MAX) })]),
    size: name,
    overrides: z
      .array(
        z
          .string()
          .max(VALUE_LENGTH_MAX)
          .regex(/^[^=\s]+=/, 'must be KEY=VALUE'),
      )
      .max(ITEMS_MAX),
    only: name,
    target: target.optional(),
  }),
  tags: z.strictObject({
    add: z.array(tag).max(ITEMS_MAX),
    remove: z.array(z.string().max(WORD_LENGTH_MAX)).max(ITEMS_MAX),
  }),
  server: z.strictObject({
    name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/i, 'is no name of a server'),
    arguments: z.array(z.string().max(VALUE_LENGTH_MAX).regex(/^--/, 'must begin with --')).max(ITEMS_MAX),
  }),
  doctor: z.strictObject({ target, workload: name, options }),
  nothing: z.strictObject({}),
} as const;

/** Shown of the mistakes; the others are of the same kind, as a rule. */
const ISSUES_SHOWN_MAX = 5;

export async function readBody<Schema extends z.ZodType>(context: Context, schema: Schema): Promise<z.infer<Schema>> {
  const text = await context.req.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadRequest('The request is no JSON.');
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, ISSUES_SHOWN_MAX);
  const sentences = issues.map(
    ({ path, message }) => `${path.length === 0 ? 'The request' : path.join('.')}: ${message}.`,
  );
  throw new BadRequest(sentences.join('\n'));
}
