/** `npm run new workload NAME`: a new file in the catalogue that works as it stands, to be changed from there. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { workloadPath, workloadText } from './new/workload.ts';

const TEMPLATE = 'tools/templates/workload.ts';
/** What base/catalog.ts takes for the name of an entry. */
const NAME = /^[a-z][a-z0-9_-]*$/;

function main([kind, name]: readonly string[]): string {
  if (kind !== 'workload' || name === undefined) throw new Error('Usage: npm run new workload NAME');
  if (!NAME.test(name)) throw new Error(`'${name}' is no name: use small letters, digits, - and _, a letter first.`);
  const path = workloadPath(name);
  if (existsSync(path)) throw new Error(`${path} exists already; choose another name.`);
  writeFileSync(path, workloadText(readFileSync(join(process.cwd(), TEMPLATE), 'utf8'), name));
  return [
    `${path} is written, and works. Change its statements, then:`,
    `  npx vitest run test/workloads.test.ts -t ${name}`,
    `  npm run build && node dist/src/cli/main.js ${name} help`,
  ].join('\n');
}

try {
  console.log(main(process.argv.slice(2)));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
