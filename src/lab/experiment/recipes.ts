/** Experiment files that come with the program, in recipes/ of the package: each redoes what somebody published. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nearest } from '../../base/did-you-mean.ts';
import { UserError } from '../../base/errors.ts';
import { readYaml } from './file/read-yaml.ts';
import { entryOf } from './file/tree.ts';

export interface Recipe {
  readonly name: string;
  /** Of its first experiment. */
  readonly question: string;
  readonly text: string;
}

const ENDING = '.yaml';

/** By name. */
export function listRecipes(): readonly Recipe[] {
  return recipeNames().map(readRecipe);
}

/** Throws a `UserError` where there is none of that name. */
export function findRecipe(name: string): Recipe {
  const names = recipeNames();
  if (names.includes(name)) return readRecipe(name);
  const meant = nearest(name, names);
  throw new UserError(`There is no recipe '${name}'.`, {
    hint:
      meant === undefined
        ? `There are: ${names.join(', ')}. A file of your own is named with its ending, or with ./ before it.`
        : `Did you mean ${meant}?`,
  });
}

function recipeNames(): string[] {
  const files = readdirSync(directory()).filter((file) => file.endsWith(ENDING));
  return files.map((file) => file.slice(0, -ENDING.length)).sort();
}

function readRecipe(name: string): Recipe {
  const text = readFileSync(new URL(`${name}${ENDING}`, directory()), 'utf8');
  const question = entryOf(readYaml(text, name).trees[0], 'question')?.value;
  return { name, question: question?.is === 'text' ? question.text : '', text };
}

/** In the package's directory: three up in src/, four in dist/src/. */
function directory(): URL {
  const places = ['../../../', '../../../../'].map((up) => new URL(`${up}recipes/`, import.meta.url));
  const found = places.find((place) => existsSync(fileURLToPath(place)));
  if (found === undefined) throw new Error('recipes/ is not where it belongs');
  return found;
}
