/** Outputs of other tools, as they were printed here or as documents have them, for tests of what reads them. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../fixtures/foreign-output/', import.meta.url));

export function foreignOutput(name: string): string {
  return readFileSync(`${FOLDER}${name}`, 'utf8');
}

export function foreignOutputNames(): string[] {
  return readdirSync(FOLDER).sort();
}
