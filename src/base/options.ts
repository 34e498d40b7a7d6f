/**
 * Declared options: what a workload, the load engine or a target accepts, with defaults and help.
 * The command line, `--help` and the record are all derived from these declarations.
 */

interface OptionBase {
  readonly help: string;
  /** Other spellings that are accepted with a note, such as `num-threads`. Dashes and underscores are alike. */
  readonly deprecated?: readonly string[];
  /** Other spellings that are as good: `ssl-mode` for `mysql-ssl`. */
  readonly aliases?: readonly string[];
  /** Never shown: in a message about a wrong value, for one. */
  readonly secret?: boolean;
  /** What stands for the value in the help: `FILE`. */
  readonly placeholder?: string;
  /** Not in the help: the program fills it in. */
  readonly hidden?: boolean;
}
export interface IntegerOption extends OptionBase {
  readonly kind: 'integer';
  readonly default: number;
  readonly min?: number;
  readonly max?: number;
}
export interface NumberOption extends OptionBase {
  readonly kind: 'number';
  readonly default: number;
  readonly min?: number;
  readonly max?: number;
}
/** Written `--name`, `--name=on|off|true|false|1|0`, or `--no-name`. */
export interface FlagOption extends OptionBase {
  readonly kind: 'flag';
  readonly default: boolean;
}
export interface TextOption extends OptionBase {
  readonly kind: 'text';
  readonly default: string;
  /** The value where it is written without one: `--forced-shutdown` alone. Other values then follow after `=` only. */
  readonly bare?: string;
}
export interface ChoiceOption<T extends string = string> extends OptionBase {
  readonly kind: 'choice';
  readonly default: T;
  readonly choices: readonly T[];
  /** As for a text. */
  readonly bare?: T;
}
/** Comma-separated; where `repeatable`, one item each time it is written, commas and all. */
export interface ListOption extends OptionBase {
  readonly kind: 'list';
  readonly default: readonly string[];
  readonly repeatable?: boolean;
}
export type Option = IntegerOption | NumberOption | FlagOption | TextOption | ChoiceOption | ListOption;

/** Keys are written with underscores, as sysbench prints them: `table_size`. */
export type OptionsSchema = Readonly<Record<string, Option>>;

export type ValueOf<O extends Option> = O extends IntegerOption | NumberOption
  ? number
  : O extends FlagOption
    ? boolean
    : O extends ChoiceOption<infer T>
      ? T
      : O extends ListOption
        ? readonly string[]
        : string;
export type ValuesOf<S extends OptionsSchema> = { readonly [K in keyof S]: ValueOf<S[K]> };

type Declared<O extends Option> = Omit<O, 'kind'>;

export function integer(option: Declared<IntegerOption>): IntegerOption {
  return { kind: 'integer', ...option };
}
export function number(option: Declared<NumberOption>): NumberOption {
  return { kind: 'number', ...option };
}
export function flag(option: Declared<FlagOption>): FlagOption {
  return { kind: 'flag', ...option };
}
export function text(option: Declared<TextOption>): TextOption {
  return { kind: 'text', ...option };
}
export function choice<const T extends string>(option: Declared<ChoiceOption<T>>): ChoiceOption<T> {
  return { kind: 'choice', ...option };
}
export function list(option: Declared<ListOption>): ListOption {
  return { kind: 'list', ...option };
}

/** The same options with other defaults, where `defaults` names them. */
export function withDefaults<S extends OptionsSchema>(schema: S, defaults: Readonly<Record<string, unknown>> = {}): S {
  const changed = Object.entries(schema).map(([name, option]) =>
    Object.hasOwn(defaults, name) ? [name, { ...option, default: defaults[name] }] : [name, option],
  );
  return Object.fromEntries(changed) as S;
}

/** The defaults of a schema, as values. */
export function defaultsOf<S extends OptionsSchema>(schema: S): ValuesOf<S> {
  return Object.fromEntries(Object.entries(schema).map(([name, option]) => [name, option.default])) as ValuesOf<S>;
}
