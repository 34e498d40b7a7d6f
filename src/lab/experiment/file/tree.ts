/**
 * What a file says, as written: mappings, lists and texts, each with its place, so that every complaint can point.
 * Nothing is a number or a boolean yet: who reads a field knows what it must be.
 */

/** Where something is written. */
export interface Place {
  /** From 1; 0 where it stands in no file. */
  readonly line: number;
  readonly column: number;
  /** For people: `buffer-pool.yaml:7:3`, or `--set pairs=x`. */
  readonly shown: string;
}

export type Tree =
  | { readonly is: 'text'; readonly text: string; readonly place: Place; readonly isVerbatim: boolean }
  | { readonly is: 'list'; readonly items: readonly Tree[]; readonly place: Place }
  | MappingTree;

export interface MappingTree {
  readonly is: 'mapping';
  readonly entries: ReadonlyMap<string, Entry>;
  readonly place: Place;
}

export interface Entry {
  /** Of the key. */
  readonly place: Place;
  readonly value: Tree;
}

export type Path = readonly (string | number)[];

/** One thing that is wrong, where it is written. */
export interface PlacedProblem {
  readonly place: Place;
  readonly is: string;
  readonly remedy?: string;
}

/** A text; `isVerbatim` where it stands in the file letter by letter, so that places within it can be told. */
export function textTree(text: string, place: Place, isVerbatim = false): Tree {
  return { is: 'text', text, place, isVerbatim };
}

export function emptyMapping(place: Place): MappingTree {
  return { is: 'mapping', entries: new Map(), place };
}

export function entryOf(tree: Tree | undefined, key: string): Entry | undefined {
  return tree?.is === 'mapping' ? tree.entries.get(key) : undefined;
}

/** The same mapping with one entry more, or another. */
export function withEntry(tree: MappingTree, key: string, entry: Entry): MappingTree {
  return { ...tree, entries: new Map([...tree.entries, [key, entry]]) };
}

export function withoutEntry(tree: MappingTree, key: string): MappingTree {
  return { ...tree, entries: new Map([...tree.entries].filter(([name]) => name !== key)) };
}

/** Each value of a mapping replaced; what is no mapping stays as it is. */
export function mapEntries(tree: Tree, change: (value: Tree, key: string) => Tree): Tree {
  if (tree.is !== 'mapping') return tree;
  const entries = [...tree.entries].map(
    ([key, entry]) => [key, { ...entry, value: change(entry.value, key) }] as const,
  );
  return { ...tree, entries: new Map(entries) };
}

/** One entry replaced, where there is one. */
export function mapEntry(tree: Tree, key: string, change: (value: Tree) => Tree): Tree {
  return mapEntries(tree, (value, name) => (name === key ? change(value) : value));
}

/** `over` wins; mappings are merged key by key, everything else is replaced. */
export function merge(under: Tree, over: Tree): Tree {
  if (under.is !== 'mapping' || over.is !== 'mapping') return over;
  let merged: MappingTree = under;
  for (const [key, entry] of over.entries) {
    const before = under.entries.get(key);
    merged = withEntry(
      merged,
      key,
      before === undefined ? entry : { ...entry, value: merge(before.value, entry.value) },
    );
  }
  return merged;
}

/** With `value` at `path`; mappings are made where there are none. */
export function setAt(tree: Tree, path: readonly string[], value: Tree): Tree {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const mapping = tree.is === 'mapping' ? tree : emptyMapping(value.place);
  const inner = mapping.entries.get(key)?.value ?? emptyMapping(value.place);
  return withEntry(mapping, key, { place: value.place, value: setAt(inner, rest, value) });
}

export function mapTexts(tree: Tree, change: (text: string) => string): Tree {
  if (tree.is === 'text') return { ...tree, text: change(tree.text) };
  if (tree.is === 'list') return { ...tree, items: tree.items.map((item) => mapTexts(item, change)) };
  return mapEntries(tree, (value) => mapTexts(value, change));
}

/** Texts, arrays and objects, for the schema. */
export function plainOf(tree: Tree): unknown {
  if (tree.is === 'text') return tree.text;
  if (tree.is === 'list') return tree.items.map(plainOf);
  return Object.fromEntries([...tree.entries].map(([key, { value }]) => [key, plainOf(value)]));
}

/** Of the key at `path`, or of the nearest thing around it that is written. */
export function placeOf(tree: Tree, path: Path): Place {
  let place = tree.place;
  let here: Tree | undefined = tree;
  for (const part of path) {
    if (here?.is === 'mapping') {
      const entry: Entry | undefined = here.entries.get(String(part));
      if (entry === undefined) return place;
      place = entry.place;
      here = entry.value;
    } else if (here?.is === 'list') {
      here = here.items[Number(part)];
      if (here === undefined) return place;
      place = here.place;
    } else {
      return place;
    }
  }
  return place;
}

export function treeAt(tree: Tree, path: Path): Tree | undefined {
  let here: Tree | undefined = tree;
  for (const part of path) here = here?.is === 'list' ? here.items[Number(part)] : entryOf(here, String(part))?.value;
  return here;
}

export function isWritten(tree: Tree, path: Path): boolean {
  return treeAt(tree, path) !== undefined;
}

/** Of the mapping at `path`, in the order in which they are written. */
export function namesAt(tree: Tree, path: Path): readonly string[] {
  const mapping = treeAt(tree, path);
  return mapping?.is === 'mapping' ? [...mapping.entries.keys()] : [];
}

/** Without what is at `path`; of a list, all goes. */
export function withoutAt(tree: Tree, path: Path): Tree {
  const [key, ...rest] = path;
  if (tree.is !== 'mapping' || typeof key !== 'string') return tree;
  return rest.length === 0 || typeof rest[0] === 'number'
    ? withoutEntry(tree, key)
    : mapEntry(tree, key, (value) => withoutAt(value, rest));
}
