/** Installing packages whose scripts would start a service, without its being started. */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Asked by the scripts of Debian's packages before they start anything: `man invoke-rc.d`, "policy-rc.d". */
const POLICY = '/usr/sbin/policy-rc.d';
/** "Action forbidden by policy." */
const DENY = '#!/bin/sh\nexit 101\n';

/**
 * What was there before is put back, whatever the work comes to; also by the next call, where this one was killed.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @param {string} [path]
 * @returns {Promise<T>}
 */
export async function withoutStartingServices(work, path = POLICY) {
  const [kept, none] = [`${path}.before-sqldyno`, `${path}.none-before-sqldyno`];
  putBack();
  if (existsSync(path)) renameSync(path, kept);
  else writeFileSync(none, '');
  try {
    writeFileSync(path, DENY, { mode: 0o755 });
    return await work();
  } finally {
    putBack();
  }

  function putBack() {
    if (existsSync(kept)) renameSync(kept, path);
    if (!existsSync(none)) return;
    rmSync(path, { force: true });
    rmSync(none);
  }
}
