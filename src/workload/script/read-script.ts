/**
 * Reads a script: from what `scan.ts` found to steps that can be run. Every step is checked for itself, so that all
 * mistakes of a file are told at once.
 */
import { nearest } from '../../base/did-you-mean.ts';
import type { StatementKind } from '../workload.ts';
import { type Compiled, compileExpression, type Evaluate } from './compile-expression.ts';
import { describeStatement } from './describe-statement.ts';
import { parseExpression } from './expression.ts';
import { copyOf, type Flow, meet } from './flow.ts';
import { placeOf, problemLine, ScriptProblem, type ScriptText } from './place.ts';
import { type ScriptItem, scanScript, type VariableUse } from './scan.ts';
import type { Branch, Script, Step } from './script.ts';
import type { StatementNames } from './statement-names.ts';
import { toNumber, type ValueType } from './values.ts';
import { Variables } from './variables.ts';

export interface ReadSettings {
  /** `--define`, by name. */
  readonly defines: ReadonlyMap<string, string>;
  readonly names: StatementNames;
  /** `--in-transaction` */
  readonly wraps: boolean;
  /** For prepare or cleanup: it has no events. */
  readonly isSetup: boolean;
}

export interface ReadScript {
  /** Undefined where there are problems. */
  readonly script: Script | undefined;
  readonly problems: readonly string[];
  /** Names that `--define` may give a value. */
  readonly used: ReadonlySet<string>;
}

type Item<K extends ScriptItem['is']> = Extract<ScriptItem, { is: K }>;

/** In reports and in JSON; 'all' is what the report calls all transactions together. */
const REPORT_NAME = /^(?!all$)[\w.-]{1,64}$/;

export function readScript(source: ScriptText, settings: ReadSettings): ReadScript {
  const reader = new Reader(source, settings);
  const script = reader.read();
  return { script: reader.problems.length === 0 ? script : undefined, problems: reader.problems, used: reader.used };
}

class Reader {
  readonly problems: string[] = [];
  readonly #source: ScriptText;
  readonly #settings: ReadSettings;
  readonly #variables: Variables;
  #items: readonly ScriptItem[] = [];
  #at = 0;
  #name: string;
  /** By a `-- statement:` line, for the next one. */
  #nextName: string | undefined;
  /** Its statements need what it makes itself, so that they cannot be prepared before it runs. */
  #hasDefinitions = false;
  #hasControl = false;
  #hasSteps = false;

  constructor(source: ScriptText, settings: ReadSettings) {
    this.#source = source;
    this.#settings = settings;
    this.#variables = new Variables(!settings.isSetup);
    this.#name = nameOfFile(source.file);
  }

  get used(): ReadonlySet<string> {
    return this.#variables.used;
  }

  read(): Script {
    this.#try(() => {
      this.#items = scanScript(this.#source.text);
    });
    this.#lookAhead();
    const steps = this.#steps();
    this.#checkEnd();
    const { file } = this.#source;
    const isWrapped = this.#settings.wraps && !this.#hasControl;
    return {
      file,
      name: this.#name,
      steps: isWrapped ? this.#wrapped(steps) : steps,
      initial: this.#variables.initial,
      isTransactional: this.#hasControl || isWrapped,
    };
  }

  /** Notes a problem, and goes on with what follows. */
  #try(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof ScriptProblem)) throw error;
      this.problems.push(problemLine(this.#source, error));
    }
  }

  #note(offset: number, is: string, remedy: string): void {
    this.problems.push(problemLine(this.#source, new ScriptProblem(offset, is, remedy)));
  }

  #place(offset: number): string {
    return placeOf(this.#source, offset);
  }

  /** What holds for the whole file, wherever it stands. */
  #lookAhead(): void {
    for (const item of this.#items) {
      if (item.is === 'remark' && item.name === 'define')
        this.#try(() => this.#variables.declare(item.value, item.offset));
      if (item.is !== 'statement') continue;
      const { isDefinition, control } = describeStatement(item.bare);
      this.#hasDefinitions ||= isDefinition;
      this.#hasControl ||= control !== undefined;
    }
    for (const [name, value] of this.#settings.defines) this.#variables.define(name, value);
  }

  /** Up to the end of the file, or to a command that ends or parts the `\if` in which we are. */
  #steps(): Step[] {
    const steps: Step[] = [];
    for (; this.#at < this.#items.length; this.#at++) {
      const item = this.#items[this.#at]!;
      if (item.is === 'command' && ['elif', 'else', 'endif'].includes(item.name)) break;
      this.#try(() => {
        const step = this.#step(item);
        if (step !== undefined) steps.push(step);
      });
    }
    return steps;
  }

  #step(item: ScriptItem): Step | undefined {
    switch (item.is) {
      case 'remark':
        this.#remark(item);
        return undefined;
      case 'statement':
        this.#hasSteps = true;
        return this.#statement(item);
      case 'command':
        this.#hasSteps = true;
        return this.#command(item);
    }
  }

  #remark({ name, value, offset }: Item<'remark'>): void {
    if (name === 'statement') {
      this.#nextName = value;
      return;
    }
    if (name !== 'name') return;
    if (this.#hasSteps) {
      throw new ScriptProblem(
        offset,
        'The name of the transactions comes after its first step.',
        'Begin the file with it; a single statement is named by -- statement: NAME',
      );
    }
    this.#name = value;
  }

  #command(item: Item<'command'>): Step | undefined {
    const { name, offset } = item;
    switch (name) {
      case 'set':
        return this.#set(item);
      case 'sleep':
        return this.#sleep(item);
      case 'if':
        return this.#if(item);
      case 'gset':
        throw new ScriptProblem(
          offset,
          '\\gset takes the result of the statement before it, and there is none.',
          'Write it right after a SELECT.',
        );
      default:
        throw unknownCommand(name, offset);
    }
  }

  #set({ rest, restOffset, offset }: Item<'command'>): Step {
    const [before, blank = '', name = ''] = /^(\s+)([A-Za-z_]\w*)(?=\s)/.exec(rest) ?? [''];
    const text = rest.slice(before.length);
    if (name === '' || text.trim() === '') {
      const remedy = 'Write it like \\set id random(1, 1000)';
      throw new ScriptProblem(offset, '\\set needs a name and an expression.', remedy);
    }
    if (!this.#variables.isSettable(name)) {
      const is = ':event is the number of the transaction, and cannot be set.';
      throw new ScriptProblem(restOffset + blank.length, is, 'Choose another name.');
    }
    let type: ValueType = 'any';
    try {
      const { evaluate, type: found } = this.#compile(text, restOffset + before.length);
      type = found;
      return { is: 'set', slot: this.#variables.slotOf(name), evaluate, place: this.#place(offset) };
    } finally {
      // Also where the expression is wrong: that is told, and its uses are not.
      this.#variables.assign(name, type);
    }
  }

  #compile(text: string, offset: number): Compiled {
    return compileExpression(parseExpression(text, offset), (name, at) => this.#variables.use(name, at));
  }

  #sleep({ rest, restOffset, offset }: Item<'command'>): Step {
    if (this.#settings.isSetup) {
      throw new ScriptProblem(offset, '\\sleep is for transactions: prepare and cleanup do not wait.', 'Leave it out.');
    }
    const [, text = '', unit = 's'] = /^(.*?)(?:(?<=\s|^\s*[\d.]+)(us|ms|s))?\s*$/s.exec(rest) ?? [];
    if (text.trim() === '') {
      const remedy = 'Write it like \\sleep 10 ms; units are us, ms and s.';
      throw new ScriptProblem(offset, '\\sleep needs to know how long.', remedy);
    }
    const { evaluate } = this.#compile(text, restOffset);
    const msPerUnit = { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'];
    const durationMs: Evaluate = (scope) => Math.max(0, toNumber(evaluate(scope)) * msPerUnit);
    return { is: 'sleep', durationMs, place: this.#place(offset) };
  }

  #if(item: Item<'command'>): Step {
    const branches: Branch[] = [];
    const ways: Flow[] = [];
    let otherwise: readonly Step[] = [];
    let hasElse = false;
    for (let part = item; ; ) {
      if (part.name === 'else') hasElse = true;
      const condition = part.name === 'else' ? undefined : this.#condition(part);
      const before = this.#variables.flow;
      this.#variables.flow = copyOf(before);
      this.#at++;
      const steps = this.#steps();
      ways.push(this.#variables.flow);
      this.#variables.flow = before;
      if (condition === undefined) otherwise = steps;
      else branches.push({ condition, steps });
      const end = this.#items[this.#at];
      if (end === undefined || end.is !== 'command')
        throw new ScriptProblem(item.offset, 'This \\if has no end.', 'End it with \\endif.');
      if (end.name === 'endif') break;
      if (hasElse)
        this.#note(end.offset, `\\${end.name} after the \\else.`, 'An \\if has one \\else, as its last part.');
      part = end;
    }
    this.#variables.flow = meet(hasElse ? ways : [...ways, this.#variables.flow]);
    return { is: 'if', branches, otherwise, place: this.#place(item.offset) };
  }

  #condition({ name, rest, restOffset, offset }: Item<'command'>): Evaluate {
    let condition: Evaluate = () => null;
    // A wrong condition must not hide what is wrong within.
    this.#try(() => {
      if (rest.trim() === '')
        throw new ScriptProblem(offset, `\\${name} needs a condition.`, `Write it like \\${name} :balance > 0`);
      condition = this.#compile(rest, restOffset).evaluate;
    });
    return condition;
  }

  #statement({ offset, sql, bare, variables }: Item<'statement'>): Step {
    const { kind, name, control } = describeStatement(bare);
    const slots = variables.map((use) => this.#slotOfUse(use));
    const isText = this.#hasDefinitions;
    const statement = this.#settings.names.plan({ name, kind, sql, isText }, this.#nameFor(kind, offset));
    const into = this.#into();
    this.#noteControl(control);
    return {
      is: 'statement',
      statement,
      slots,
      into,
      control: control === 'chain' ? 'begin' : control,
      place: this.#place(offset),
    };
  }

  /** All that are not set are told, and the statement is read on. */
  #slotOfUse({ name, offset }: VariableUse): number {
    this.#try(() => this.#variables.use(name, offset));
    return this.#variables.slotOf(name);
  }

  /** As a `-- statement:` line says. */
  #nameFor(kind: StatementKind, offset: number): string | undefined {
    const named = this.#nextName;
    this.#nextName = undefined;
    if (named === undefined || (REPORT_NAME.test(named) && this.#settings.names.isFreeFor(named, kind))) return named;
    const remedy = 'Take letters, digits, _, . and -, and one name for statements of one kind.';
    this.#note(offset, `'${named}' cannot be this statement's name.`, remedy);
    return undefined;
  }

  /** A `\gset` that follows. */
  #into(): number[] | undefined {
    const next = this.#items[this.#at + 1];
    if (next?.is !== 'command' || next.name !== 'gset') return undefined;
    this.#at++;
    const names = next.rest.split(/[\s,]+/).filter((name) => name !== '');
    const wrong = names.find((name) => !this.#variables.isSettable(name));
    if (names.length === 0 || wrong !== undefined) {
      throw new ScriptProblem(
        next.offset,
        wrong === undefined ? '\\gset names no variable.' : `\\gset cannot set '${wrong}'.`,
        'Name a variable for each column, in their order: \\gset balance branch',
      );
    }
    return names.map((name) => this.#variables.assign(name, 'any'));
  }

  #noteControl(control: ReturnType<typeof describeStatement>['control']): void {
    if (control === undefined) return;
    this.#variables.flow.mayBeOpen = control === 'begin' || control === 'chain';
  }

  #checkEnd(): void {
    const rest = this.#items[this.#at];
    const end = this.#source.text.trimEnd().length;
    this.#try(() => {
      if (rest?.is === 'command')
        throw new ScriptProblem(rest.offset, `\\${rest.name} without an \\if.`, 'Begin it with \\if CONDITION.');
      if (this.problems.length > 0) return;
      if (!this.#hasSteps)
        throw new ScriptProblem(end, 'This file has nothing to do in it.', 'Write a statement, such as SELECT 1;');
      if (this.#variables.flow.mayBeOpen && !this.#settings.isSetup) {
        throw new ScriptProblem(
          end,
          'A transaction can be open where this file ends.',
          'End every way through it with COMMIT or ROLLBACK.',
        );
      }
      if (!this.#settings.isSetup && !REPORT_NAME.test(this.#name)) {
        throw new ScriptProblem(
          0,
          `Its transactions cannot be called '${this.#name}'.`,
          'Begin the file with a line -- name: NAME, of letters, digits, _, . and -.',
        );
      }
    });
  }

  #wrapped(steps: readonly Step[]): Step[] {
    const control = (name: 'begin' | 'commit'): Step => ({
      is: 'statement',
      statement: this.#settings.names.plan(
        { name, kind: 'other', sql: name.toUpperCase(), isText: this.#hasDefinitions },
        undefined,
      ),
      slots: [],
      into: undefined,
      control: name,
      place: this.#source.file,
    });
    return [control('begin'), ...steps, control('commit')];
  }
}

/** `orders/transfer.sql` makes transactions called transfer. */
function nameOfFile(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? file).replace(/\.sql$/i, '');
}

const COMMANDS = ['set', 'gset', 'sleep', 'if', 'elif', 'else', 'endif'];
/** Of pgbench and psql, with what takes their place. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  aset: 'Send the statements one by one, each with its own \\gset.',
  setshell: 'Nothing outside is asked while a load runs: use \\set, or --define.',
  shell: 'Nothing outside is started while a load runs.',
  startpipeline: 'MySQL answers one statement after another.',
  setrandom: 'Write \\set NAME random(FROM, TO).',
};

function unknownCommand(name: string, offset: number): ScriptProblem {
  const meant = nearest(name, COMMANDS);
  const remedy =
    ELSEWHERE[name] ??
    (meant === undefined
      ? `There are: ${COMMANDS.map((each) => `\\${each}`).join(', ')}.`
      : `Did you mean \\${meant}?`);
  return new ScriptProblem(offset, `\\${name} is not a command here.`, remedy);
}
