/** Golden files: what reports look like. `npx vitest run test/reports.test.ts -u` rewrites them; look at the change. */
import { fileURLToPath } from 'node:url';

export function golden(name: string): string {
  return fileURLToPath(new URL(`../golden/${name}`, import.meta.url));
}
