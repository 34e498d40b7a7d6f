/**
 * The way in: `npm run quickstart`, `npm test` and `npm run build` on a fresh clone, with nothing installed before.
 * It needs nothing but Node, and parses on old Nodes too, so that they get a sentence instead of a syntax error.
 */
import { nodeProblem } from './bootstrap/node-version.mjs';

const task = process.argv[2] || '';
const problem = nodeProblem(process.versions.node, task);
if (problem !== '') {
  console.error(problem);
  process.exitCode = 2;
} else {
  import('./bootstrap/main.mjs')
    .then((bootstrap) => bootstrap.main(task, process.argv.slice(3)))
    .catch((error) => {
      console.error(error);
      process.exitCode = 2;
    });
}
