/** Names of runs: they sort by time, can be read, typed in part, and used as a directory's name anywhere. */
import { randomInt } from 'node:crypto';

/** Without look-alikes (0 o, 1 l i), so that an id survives being read aloud. */
const SUFFIX_LETTERS = '23456789abcdefghjkmnpqrstuvwxyz';
/** Four letters tell apart what begins within one second: a chance of one in 900,000 for two of them. */
const SUFFIX_LENGTH = 4;
const NAME_LENGTH_MAX = 40;

export const RUN_ID = /^\d{8}-\d{6}-[a-zA-Z0-9_.-]+-[a-z0-9]{4}$/;

/** Such as `20261130-163512-oltp_read_write-k3f9`; the time is UTC, as in the record. */
export function newRunId(startedAtMs: number, workloadName: string): string {
  const [day, time] = new Date(startedAtMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').split('T');
  const name = workloadName.replaceAll(/[^a-zA-Z0-9_.-]+/g, '_').slice(0, NAME_LENGTH_MAX) || 'run';
  const suffix = Array.from({ length: SUFFIX_LENGTH }, () => SUFFIX_LETTERS[randomInt(SUFFIX_LETTERS.length)]).join('');
  return `${day}-${time}-${name}-${suffix}`;
}
