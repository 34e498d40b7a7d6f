/** The project's own texts, as `rules.ts` wants them. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { SourceFile } from './rules.ts';

/** Everything that people write; dist/, node_modules/ and what lies about are not among it. */
const ROOTS = ['src', 'test', 'tools', 'bench', 'docs', 'examples', 'schema', '.ci'];
const TEXT = /\.(?:tsx?|mjs|js|json|md|c|txt|yaml|yml)$/;

export function readTree(root: string): SourceFile[] {
  const top = readdirSync(root).filter((name) => statSync(join(root, name)).isFile());
  const below = ROOTS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  return [...top, ...below]
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => statSync(join(root, path)).isFile())
    .map((path) => ({ path, text: TEXT.test(path) ? readFileSync(join(root, path), 'utf8') : '' }));
}
