/** A command with options of its own, beside those of the workload that it names: tells the two apart. */
import type { OptionsSchema } from '../base/options.ts';
import { canonicalName, type GivenOption, splitOption } from '../base/options-parse.ts';

/** The options of `schema`, wherever they stand, and everything else as it was written. */
export function divideOptions(
  args: readonly string[],
  schema: OptionsSchema,
): { readonly own: GivenOption[]; readonly rest: string[] } {
  const own: GivenOption[] = [];
  const rest: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const option = arg.startsWith('--') ? ownOption(arg, schema) : undefined;
    if (option === undefined) {
      rest.push(arg);
    } else if (option.takesNext && args[at + 1] !== undefined) {
      own.push({ ...option.given, value: args[++at] });
    } else {
      own.push(option.given);
    }
  }
  return { own, rest };
}

function ownOption(
  arg: string,
  schema: OptionsSchema,
): { readonly given: GivenOption; readonly takesNext: boolean } | undefined {
  const given = splitOption(arg);
  const option = schema[given.name] ?? schema[canonicalName(given.name).replace(/^no_/, '')];
  if (option === undefined) return undefined;
  const isBare = option.kind === 'flag' || ('bare' in option && option.bare !== undefined);
  return { given, takesNext: given.value === undefined && !isBare };
}
