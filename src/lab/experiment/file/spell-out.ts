/**
 * Spells out what may be written short: a line of options becomes a mapping, options of the load that stand with the
 * workload go to the load, an empty variant is one without changes, and a factor over a list of values gets its levels.
 */
import { canonicalName, splitOption } from '../../../base/options-parse.ts';
import { LOAD_OPTIONS } from '../../../load/options.ts';
import {
  type Entry,
  emptyMapping,
  entryOf,
  type MappingTree,
  mapEntries,
  mapEntry,
  type Place,
  type PlacedProblem,
  setAt,
  type Tree,
  textTree,
  withEntry,
  withoutEntry,
} from './tree.ts';
import { splitLine, type Word } from './words.ts';

const COMMANDS = ['prepare', 'run', 'cleanup', 'prewarm', 'warmup', 'check'];
/** By every spelling, the name under which an option of the load is known. */
const LOAD_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(LOAD_OPTIONS).flatMap(([name, option]) =>
    [name, ...('deprecated' in option ? option.deprecated : [])].map((spelling) => [canonicalName(spelling), name]),
  ),
);

export class SpellOut {
  readonly problems: PlacedProblem[] = [];

  /** Of a whole file, or of what one size says otherwise. Spelling out twice changes nothing. */
  experiment(tree: Tree): Tree {
    let spelt = mapEntry(this.#change(tree, 'workload'), 'variants', (variants) => this.#variants(variants));
    for (const key of ['factors', 'matrix']) {
      spelt = mapEntry(spelt, key, (factors) =>
        mapEntries(empty(factors), (levels, factor) => this.#variants(this.#levels(levels, factor))),
      );
      spelt = mapEntry(spelt, key, shortNames);
    }
    return mapEntry(spelt, 'sizes', (sizes) => mapEntries(empty(sizes), (size) => this.experiment(empty(size))));
  }

  #variants(variants: Tree): Tree {
    return mapEntries(empty(variants), (variant) => this.#change(empty(variant), 'options'));
  }

  /** `load.threads: [1, 8]` are the levels 1 and 8. */
  #levels(levels: Tree, factor: string): Tree {
    if (levels.is !== 'list') return levels;
    if (!factor.includes('.')) {
      const remedy = `Name what takes them: load.${factor}, workload.${factor} or settings.${factor}.`;
      this.problems.push({ place: levels.place, is: `What the values of '${factor}' are is not said.`, remedy });
      return emptyMapping(levels.place);
    }
    let spelt = emptyMapping(levels.place);
    for (const item of levels.items) {
      if (item.is !== 'text') {
        this.problems.push({ place: item.place, is: `A value of '${factor}' must be a single one.` });
        continue;
      }
      const value = setAt(emptyMapping(item.place), factor.split('.'), item);
      spelt = withEntry(spelt, item.text, { place: item.place, value });
    }
    return spelt;
  }

  #change(tree: Tree, kind: 'workload' | 'options'): Tree {
    if (tree.is !== 'mapping') return tree;
    const spelt = mapEntry(
      mapEntry(tree, 'workload', (value) => this.#options(value, kind)),
      'load',
      (value) => this.#options(value, 'options'),
    );
    const withoutDashes = ['settings', 'global', 'persist'].reduce<Tree>(
      (changed, key) => mapEntry(changed, key, (settings) => underscored(empty(settings))),
      spelt,
    );
    return this.#loadOfWorkload(withoutDashes as MappingTree);
  }

  #options(value: Tree, kind: 'workload' | 'options'): Tree {
    if (value.is === 'list') return value;
    if (value.is === 'mapping') return underscored(value);
    let spelt = emptyMapping(value.place);
    for (const [index, word] of splitLine(value.text).entries()) {
      const place = placeOfWord(value, word);
      if (word.text.startsWith('--')) {
        const { name, value: given } = splitOption(word.text);
        spelt = this.#withOption(spelt, flagName(name, given), place);
      } else if (index === 0 && kind === 'workload') {
        spelt = withEntry(spelt, 'name', { place, value: textTree(word.text, place) });
      } else {
        this.problems.push({ place, ...strayWord(word) });
      }
    }
    return spelt;
  }

  #withOption(spelt: MappingTree, { name, text }: { name: string; text: string }, place: Place): MappingTree {
    if (spelt.entries.has(name)) {
      this.problems.push({
        place,
        is: `--${name.replaceAll('_', '-')} is given twice.`,
        remedy: 'Keep one of the two.',
      });
    }
    return withEntry(spelt, name, { place, value: textTree(text, place) });
  }

  /** Threads, time and the like are known by their names, wherever they stand. */
  #loadOfWorkload(tree: MappingTree): MappingTree {
    const workload = entryOf(tree, 'workload');
    const load = entryOf(tree, 'load');
    let options = load?.value.is === 'mapping' ? renamed(load.value) : emptyMapping(tree.place);
    let rest = workload?.value;
    for (const [key, entry] of rest?.is === 'mapping' ? rest.entries : []) {
      const name = LOAD_NAMES.get(key);
      if (name === undefined || rest?.is !== 'mapping') continue;
      if (options.entries.has(name)) {
        const is = `${key} is given with the workload and with the load.`;
        this.problems.push({ place: entry.place, is, remedy: 'Keep one of the two.' });
      }
      options = withEntry(options, name, entry);
      rest = withoutEntry(rest, key);
    }
    const isWritten = load === undefined ? options.entries.size > 0 : load.value.is === 'mapping';
    const settled =
      rest === undefined || workload === undefined ? tree : withEntry(tree, 'workload', { ...workload, value: rest });
    if (!isWritten) return settled;
    return withEntry(settled, 'load', { place: load?.place ?? workload?.place ?? tree.place, value: options });
  }
}

/** `load.threads` is spoken of as `threads`. */
function shortNames(factors: Tree): Tree {
  if (factors.is !== 'mapping') return factors;
  const entries = [...factors.entries].map(
    ([name, entry]) => [name.split('.').at(-1) ?? name, entry] as readonly [string, Entry],
  );
  return { ...factors, entries: new Map(entries) };
}

/** Nothing after a colon is an empty text in YAML; here it is a mapping without keys. */
function empty(tree: Tree): Tree {
  return tree.is === 'text' && tree.text === '' ? emptyMapping(tree.place) : tree;
}

/** `table-size`, `--table-size` and `table_size` are one. */
function underscored(tree: Tree): Tree {
  if (tree.is !== 'mapping') return tree;
  return { ...tree, entries: new Map([...tree.entries].map(([key, entry]) => [canonicalName(key), entry])) };
}

function renamed(tree: MappingTree): MappingTree {
  const entries = [...tree.entries].map(([key, entry]) => [LOAD_NAMES.get(key) ?? key, entry] as const);
  return { ...tree, entries: new Map(entries) };
}

function flagName(name: string, value: string | undefined): { readonly name: string; readonly text: string } {
  if (value !== undefined) return { name, text: value };
  return name.startsWith('no_') ? { name: name.slice('no_'.length), text: 'false' } : { name, text: 'true' };
}

function strayWord({ text }: Word): { readonly is: string; readonly remedy: string } {
  if (COMMANDS.includes(text)) {
    return {
      is: `'${text}' does not belong here.`,
      remedy: 'An experiment prepares and runs by itself: leave it out.',
    };
  }
  if (text.startsWith('-')) {
    return { is: `'${text}' is not known.`, remedy: 'Options begin with two dashes, as in --threads=8.' };
  }
  return {
    is: `'${text}' is one word too many.`,
    remedy: `An option and its value are one word, as in --tables=${text}.`,
  };
}

function placeOfWord(value: Extract<Tree, { is: 'text' }>, { index }: Word): Place {
  const { place } = value;
  if (!value.isVerbatim || place.line === 0) return place;
  const column = place.column + index;
  return { ...place, column, shown: place.shown.replace(/\d+$/, String(column)) };
}
