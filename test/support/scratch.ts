/** A directory for the files of one test file, removed when its tests are over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Call it once at the top of a test file; the function that it gives makes a new directory each time. */
export function scratchDirectories(): () => string {
  const root = mkdtempSync(join(tmpdir(), 'sqldyno-test-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return () => mkdtempSync(join(root, 'd-'));
}
