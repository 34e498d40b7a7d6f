/** Which Node will do. Written for the oldest Node that has modules: it is what tells them apart. */

/** What the program itself needs, as package.json says under `engines`. */
const RUN_LEAST = { major: 20, minor: 12 };
/** oxlint, knip and vite, which only the tests use, ask for more. */
const TEST_LEAST = [
  { major: 20, minor: 19 },
  { major: 22, minor: 12 },
];
const WITHOUT_TOOLS = 21;

/**
 * A sentence for the person who has the wrong Node; empty where the version will do.
 *
 * @param {string} version such as `20.12.0`
 * @param {string} task what was asked of the bootstrap
 * @returns {string}
 */
export function nodeProblem(version, task) {
  const major = Number(version.split('.')[0]);
  const minor = Number(version.split('.')[1]);
  if (major < RUN_LEAST.major || (major === RUN_LEAST.major && minor < RUN_LEAST.minor)) {
    return `sqldyno needs Node 20.12 or newer; this is Node ${version}. Get one from https://nodejs.org/en/download`;
  }
  const lacksTools =
    major === WITHOUT_TOOLS || TEST_LEAST.some((least) => least.major === major && minor < least.minor);
  if ((task === 'test' || task === 'check') && lacksTools) {
    return `The tools of the tests need Node 20.19, 22.12 or newer; this is Node ${version}, which does for sqldyno itself.`;
  }
  return '';
}
