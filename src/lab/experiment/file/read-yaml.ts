/**
 * YAML to trees. Every scalar stays the text that was written (YAML's failsafe schema), so none of its traps can
 * spring: `on` and `no` are no booleans, `0777` is no octal number, `1.10` keeps its zero, and `9G` is what it looks
 * like.
 */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseAllDocuments,
  Scalar,
  type YAMLError,
} from 'yaml';
import type { Entry, Place, PlacedProblem, Tree } from './tree.ts';

/** An experiment has some hundred values; more are a file of another kind, or aliases that multiply. */
const NODES_MAX = 20_000;
/** Longer is no experiment. */
const TEXT_LENGTH_MAX = 1_000_000;

export interface ReadYaml {
  /** One for each document; those without content are left out. */
  readonly trees: readonly Tree[];
  readonly problems: readonly PlacedProblem[];
}

export function readYaml(text: string, path: string): ReadYaml {
  const counter = new LineCounter();
  const placeAt = (offset: number): Place => {
    const { line, col: column } = counter.linePos(offset);
    return { line, column, shown: `${path}:${line}:${column}` };
  };
  if (text.length > TEXT_LENGTH_MAX) {
    return noText(path, `This file has ${text.length} characters, and an experiment has some thousand.`);
  }
  if (NO_TEXT.test(text)) return noText(path, 'This file holds bytes that no text has.');
  const documents = parseAllDocuments(text, { schema: 'failsafe', lineCounter: counter, prettyErrors: false });
  const reader = new Reader(text, placeAt);
  const parsed = Array.isArray(documents) ? documents : [];
  const problems = parsed.flatMap(({ errors }) => firstOfEachLine(errors, placeAt));
  if (problems.length > 0) return { trees: [], problems };
  const trees = parsed.flatMap((document) => reader.documentTree(document));
  return { trees, problems: reader.problems };
}

/** Control characters, and what stands for bytes that are no UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a file of another kind is known by them.
const NO_TEXT = /[\u0000-\u0008\u000e-\u001a\ufffd]/;

function noText(path: string, is: string): ReadYaml {
  const remedy = 'Name a file that is an experiment. To see one: sqldyno experiment recipe buffer-pool';
  return { trees: [], problems: [{ place: { line: 1, column: 1, shown: path }, is, remedy }] };
}

/** What follows an error on its line is mostly its echo. */
function firstOfEachLine(errors: readonly YAMLError[], placeAt: (offset: number) => Place): PlacedProblem[] {
  const lines = new Set<number>();
  return errors.flatMap((error) => {
    const place = placeAt(error.pos[0]);
    if (lines.has(place.line)) return [];
    lines.add(place.line);
    return [{ place, ...inOurWords(error) }];
  });
}

function inOurWords({ code, message }: YAMLError): { readonly is: string; readonly remedy?: string } {
  switch (code) {
    case 'DUPLICATE_KEY':
      return { is: 'This key is there already.', remedy: 'Keep one of the two.' };
    case 'TAB_AS_INDENT':
      return { is: 'A tab begins this line, and YAML takes spaces only.', remedy: 'Replace it by spaces.' };
    case 'BAD_SCALAR_START':
      return { is: 'A value cannot begin with this character.', remedy: 'Put the value in quotes.' };
    case 'BLOCK_AS_IMPLICIT_KEY':
      return {
        is: 'Here a mapping begins within a value.',
        remedy: "Put a value with ': ' in it in quotes, or indent the line below like its neighbours.",
      };
    case 'MISSING_CHAR':
      return { is: `Something is not closed: ${lowerFirst(message)}.`, remedy: 'Close the quote or bracket.' };
    case 'BAD_INDENT':
      return { is: `The indentation is not right: ${lowerFirst(message)}.`, remedy: 'Close brackets, and align keys.' };
    default:
      return {
        is: `This is not YAML: ${lowerFirst(message)}.`,
        remedy: 'Put texts with special characters in quotes.',
      };
  }
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, '');
}

class Reader {
  readonly problems: PlacedProblem[] = [];
  readonly #text: string;
  readonly #placeAt: (offset: number) => Place;
  #nodes = 0;

  constructor(text: string, placeAt: (offset: number) => Place) {
    this.#text = text;
    this.#placeAt = placeAt;
  }

  documentTree(document: Document.Parsed<ParsedNode>): Tree[] {
    const { contents } = document;
    if (contents === null || (isScalar(contents) && contents.source === '')) return [];
    return [this.#treeOf(contents, document, [])];
  }

  #treeOf(node: Node | null, document: Document, around: readonly Node[], whole = 0): Tree {
    const place = this.#placeAt(node?.range?.[0] ?? whole);
    this.#nodes++;
    if (this.#nodes > NODES_MAX || node === null) {
      if (this.#nodes === NODES_MAX + 1) {
        this.problems.push({
          place,
          is: `The file has more than ${NODES_MAX} values, aliases counted as often as used.`,
          remedy: 'An experiment has some hundred: use fewer aliases of aliases, or several files.',
        });
      }
      return { is: 'text', text: '', place, isVerbatim: false };
    }
    if (isAlias(node)) return this.#aliasTree(node.source, node.resolve(document), { document, around, place });
    if (isMap(node)) {
      const entries = node.items.map(({ key, value }): readonly [string, Entry] => {
        const start = (key as Node).range?.[0] ?? whole;
        return [
          this.#keyText(key as Node),
          {
            place: this.#placeAt(start),
            value: this.#treeOf(value as Node | null, document, [...around, node], start),
          },
        ];
      });
      return { is: 'mapping', entries: new Map(entries), place };
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => this.#treeOf(item as Node, document, [...around, node], whole));
      return { is: 'list', items, place };
    }
    return this.#scalarTree(node as Scalar, place);
  }

  #aliasTree(
    name: string,
    target: Node | undefined,
    { document, around, place }: { document: Document; around: readonly Node[]; place: Place },
  ): Tree {
    if (target !== undefined && !around.includes(target)) return this.#treeOf(target, document, around);
    const is = target === undefined ? `*${name} names nothing above it.` : `*${name} lies within itself.`;
    this.problems.push({ place, is, remedy: `Mark what is meant with &${name}, above this line.` });
    return { is: 'text', text: '', place, isVerbatim: false };
  }

  #keyText(key: Node): string {
    if (isScalar(key)) return String(key.value);
    this.problems.push({ place: this.#placeAt(key.range?.[0] ?? 0), is: 'A key must be a text.' });
    return '';
  }

  #scalarTree(node: Scalar, place: Place): Tree {
    const text = String(node.value ?? '');
    const isQuoted = node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE;
    const start = (node.range?.[0] ?? 0) + (isQuoted ? 1 : 0);
    const isVerbatim = !text.includes('\n') && this.#text.startsWith(text, start);
    const inner = isQuoted && isVerbatim ? this.#placeAt(start) : place;
    return { is: 'text', text, place: inner, isVerbatim };
  }
}
