/**
 * What a file says, in the form that the schema asks for. Of a file that has mistakes of form, the rest is read all the
 * same, with what is wrong left out: so mistakes of other kinds can be told beside them, and not one kind at a time.
 */
import type { z } from 'zod';
import { REMEDY } from './fields.ts';
import { experimentSchema, type WrittenExperiment } from './schema.ts';
import {
  emptyMapping,
  isWritten,
  type Path,
  type PlacedProblem,
  placeOf,
  plainOf,
  setAt,
  type Tree,
  textTree,
  withoutAt,
} from './tree.ts';
import type { PathProblem } from './variants.ts';

export interface ReadForm {
  /** Undefined where nothing could be made of it. */
  readonly written: WrittenExperiment | undefined;
  readonly problems: readonly PlacedProblem[];
  readonly isWorkloadKnown: boolean;
  /** Whether this comes of something being left out. */
  isEcho(problem: PathProblem): boolean;
}

/** What is left out may uncover something else, but not for ever. */
const ATTEMPTS_MAX = 4;
const VARIANTS = ['variants', 'factors', 'matrix'];

export function readForm(tree: Tree): ReadForm {
  const problems: PlacedProblem[] = [];
  const left: Path[] = [];
  let rest = tree;
  let written: WrittenExperiment | undefined;
  for (let attempt = 0; attempt < ATTEMPTS_MAX && written === undefined; attempt++) {
    const parsed = experimentSchema.safeParse(plainOf(rest));
    if (parsed.success) {
      written = parsed.data;
      break;
    }
    for (const issue of parsed.error.issues) {
      problems.push(...problemsOfIssue(issue, tree));
      for (const path of pathsOf(issue, rest)) {
        left.push(path);
        rest = without(rest, path);
      }
    }
  }
  const misses = (names: readonly string[]) => left.some(([key, ...more]) => names.includes(String(key)) && !more[0]);
  const [lacksVariants, lacksWorkload] = [misses(VARIANTS), misses(['workload'])];
  return {
    written,
    problems,
    isWorkloadKnown: !lacksWorkload,
    isEcho: ({ path }) => lacksVariants && path.length === 0,
  };
}

/** What has to go, so that the rest is right. */
function pathsOf(issue: z.core.$ZodIssue, tree: Tree): Path[] {
  const path = issue.path as Path;
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...path, key]);
  const [kind = ''] = path;
  // Half of the factors would make other variants than are meant, and other complaints.
  if (path.length === 2 && (kind === 'factors' || kind === 'matrix')) return [[kind]];
  return [path.length > 1 && !isWritten(tree, path) ? path.slice(0, -1) : path];
}

/** A variant keeps its name, which others may speak of; and there is no experiment without a workload. */
function without(tree: Tree, path: Path): Tree {
  const place = placeOf(tree, path);
  const [kind = ''] = path;
  if (kind === 'workload' && path.length === 1) return setAt(tree, ['workload', 'name'], textTree('none', place));
  const isVariant = path.length === (kind === 'variants' ? 2 : 3) && VARIANTS.includes(String(kind));
  return isVariant ? setAt(tree, path.map(String), emptyMapping(place)) : withoutAt(tree, path);
}

function problemsOfIssue(issue: z.core.$ZodIssue, tree: Tree): PlacedProblem[] {
  const path = issue.path as Path;
  if (issue.code === 'unrecognized_keys') {
    const sentences = issue.message.split('\n');
    return issue.keys.map((key, index) => {
      const [is = '', remedy = ''] = (sentences[index] ?? '').split(REMEDY);
      return { place: placeOf(tree, [...path, key]), is, remedy };
    });
  }
  const [sentence = '', remedy] = issue.message.split(REMEDY);
  const shown = path.join('.') || 'The experiment';
  const isMissing = !isWritten(tree, path);
  const is = isMissing ? `${shown} is missing.` : `${shown} ${sentence}.`;
  const help = isMissing ? `It ${sentence}.` : remedy;
  return [{ place: placeOf(tree, path), is, ...(help === undefined ? {} : { remedy: help }) }];
}
