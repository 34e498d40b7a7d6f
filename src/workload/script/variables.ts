/** The variables of one script: their numbers, their values at the start, and what is known of them at each place. */
import { nearest } from '../../base/did-you-mean.ts';
import { emptyFlow, type Flow } from './flow.ts';
import { ScriptProblem } from './place.ts';
import { EVENT_SLOT } from './script.ts';
import { isNumberText, type Value, type ValueType } from './values.ts';

const NAME = /^[A-Za-z_]\w*$/;
/** Its value is the event's number, and nobody else's. */
const EVENT = 'event';

export class Variables {
  /** At the place up to which the script has been read. */
  flow: Flow = emptyFlow();
  readonly initial: Value[] = [0];
  /** That a value was asked of, or that have a default. */
  readonly used = new Set<string>();
  readonly #slots = new Map<string, number>([[EVENT, EVENT_SLOT]]);

  constructor(hasEvents: boolean) {
    if (hasEvents) this.flow.types.set(EVENT, 'integer');
  }

  slotOf(name: string): number {
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    const slot = this.initial.push(null) - 1;
    this.#slots.set(name, slot);
    return slot;
  }

  /** Whether a script may set it. */
  isSettable(name: string): boolean {
    return NAME.test(name) && name !== EVENT;
  }

  /** `-- define: rows = 1000`: a variable with a default. */
  declare(text: string, offset: number): void {
    const [, name = '', value = ''] = /^(\w+)\s*=\s*(.*)$/.exec(text) ?? [];
    if (!this.isSettable(name)) {
      throw new ScriptProblem(offset, 'This line gives no variable a default.', 'Write it like -- define: rows = 1000');
    }
    this.used.add(name);
    this.define(name, value);
  }

  /** What reads as a number is one. */
  define(name: string, text: string): void {
    const value = isNumberText(text) ? Number(text) : text;
    this.initial[this.slotOf(name)] = value;
    const isWhole = Number.isSafeInteger(value) && /^\s*[+-]?\d+\s*$/.test(text);
    this.flow.types.set(name, typeof value === 'string' ? 'text' : isWhole ? 'integer' : 'double');
  }

  assign(name: string, type: ValueType): number {
    this.flow.types.set(name, type);
    this.flow.perhaps.delete(name);
    return this.slotOf(name);
  }

  /** Throws where it has no value. */
  use(name: string, offset: number): { readonly slot: number; readonly type: ValueType } {
    this.used.add(name);
    const type = this.flow.types.get(name);
    if (type === undefined) throw this.#unset(name, offset);
    return { slot: this.slotOf(name), type };
  }

  #unset(name: string, offset: number): ScriptProblem {
    const isPerhaps = this.flow.perhaps.has(name);
    const meant = nearest(name, this.flow.types.keys());
    // Told once: what follows is read as if it were set.
    this.flow.types.set(name, 'any');
    const problem = (is: string, remedy: string) => new ScriptProblem(offset, is, remedy);
    if (isPerhaps) {
      return problem(`:${name} is set in one branch of an \\if only.`, 'Set it in the others too, or before the \\if.');
    }
    if (name === EVENT) {
      return problem('Here is no :event: prepare and cleanup run their files once.', 'Use numbers, or --define.');
    }
    if (name === 'client_id') {
      return problem(
        ':client_id would make the statements depend on --threads.',
        'Use :event, the number of the transaction.',
      );
    }
    const remedy =
      meant === undefined ? `Set it before: \\set ${name} …, or --define=${name}=…` : `Did you mean :${meant}?`;
    return problem(`:${name} has no value here.`, remedy);
  }
}
