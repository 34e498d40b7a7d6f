/** The version in package.json: two directories up in src/, three in dist/src/. */
import { readFileSync } from 'node:fs';

export function programVersion(): string {
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      const content = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as {
        name?: string;
        version?: string;
      };
      if (content.name === 'sqldyno' && content.version !== undefined) return content.version;
    } catch {
      // Looked for in the next place.
    }
  }
  throw new Error('package.json is not where it belongs');
}
