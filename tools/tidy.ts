/** `npm run tidy`: the house rules, one line a finding, and below them what is larger than the guide says. */
import { sizeGuide, tidy } from './tidy/rules.ts';
import { readTree } from './tidy/tree.ts';

const files = readTree(process.cwd());
const findings = tidy(files);
for (const { path, line, message } of findings) console.log(`${path}:${line}: ${message}`);
for (const line of sizeGuide(files)) console.log(`guide: ${line}`);
console.log(findings.length === 0 ? 'tidy' : `${findings.length} to mend`);
process.exitCode = findings.length === 0 ? 0 : 1;
