/** What the server has left to do from before, and whether its redo log has been round once: runs must begin alike. */
import { formatBytes, formatCount, formatPercent } from '../../base/units.ts';
import { defineChecks, numberIn, ok, unseen, warning } from '../check.ts';
import type { ServerLook } from '../collected.ts';
import { redoBytesOf } from '../sizes.ts';

/** Starts that differ by less than this are alike. */
const START_SHARE_MAX = 0.1;
/** Purging so many takes a moment; a server at rest has a few dozen. */
const HISTORY_MAX = 10_000;
/** Somebody looking at the server now and then asks less. */
const QUESTIONS_PER_S_MAX = 10;
/** In less time a single statement is a rate. */
const WATCHED_S_MIN = 0.5;

export default defineChecks([
  {
    number: 29,
    id: 'start-state',
    title: 'work left from before',
    of: 'server',
    examine: (server) => {
      const found = leftovers(server);
      if (found.is === 'unseen') return unseen('The server tells neither of dirty pages nor of its checkpoint.');
      if (found.parts.length === 0) return ok('The server has nothing left to do from before.');
      return warning(`The server is not at rest: ${found.parts.join(', ')}.`, {
        because: 'It works that off during the run, and a run that begins otherwise is another one.',
        remedy: found.isDirty
          ? {
              is: 'Wait, or restart it; to have the pages written, set this, and what it was before (innodb_max_dirty_pages_pct) again when Innodb_buffer_pool_pages_dirty is near 0:',
              sql: ['SET GLOBAL innodb_max_dirty_pages_pct = 0'],
            }
          : { is: 'Wait until it has done that, and until nobody else uses it; or restart it.' },
      });
    },
  },
  {
    number: 30,
    id: 'redo-wrapped',
    title: 'redo log been round',
    of: 'server',
    examine: (server, { plan }) => {
      if (plan === undefined) return unseen('No load was named.');
      if (!plan.writes) return ok('The load does not write.');
      const capacity = redoBytesOf(server);
      const written = numberIn(server.status.later, 'innodb_os_log_written');
      if (capacity === undefined || written === undefined) {
        return unseen('The server does not tell how much it has written to its redo log, or how much that holds.');
      }
      const measured = `${formatBytes(written)} were written to the redo log since the start, and it holds ${formatBytes(capacity)}`;
      if (written >= capacity) return ok(`${measured}.`);
      return warning(`${measured}: it has not been round once.`, {
        because:
          'Until then hardly a page has to be written for the log to go on: the beginning is faster than what follows.',
        remedy: {
          is: 'Measure for longer, behind a warm-up in which it is written full (--warmup-time), or say that it is a short test.',
        },
      });
    },
  },
]);

type Leftovers =
  | { readonly is: 'unseen' }
  | { readonly is: 'seen'; readonly parts: readonly string[]; readonly isDirty: boolean };

function leftovers(server: ServerLook): Leftovers {
  const { earlier, later, elapsedS } = server.status;
  const dirty = numberIn(later, 'innodb_buffer_pool_pages_dirty');
  const total = numberIn(later, 'innodb_buffer_pool_pages_total');
  const capacity = redoBytesOf(server);
  const age = ageOf(server);
  const history = numberIn(later, 'innodb_history_list_length');
  if ((dirty === undefined || total === undefined) && age === undefined) return { is: 'unseen' };
  const parts: string[] = [];
  const dirtyShare = (dirty ?? 0) / (total || 1);
  const isDirty = dirtyShare > START_SHARE_MAX;
  if (isDirty) parts.push(`${formatPercent(dirtyShare)} of its pages are not written yet`);
  const ageShare = (age ?? 0) / (capacity || 1);
  if (ageShare > START_SHARE_MAX) parts.push(`its redo log is ${formatPercent(ageShare)} full`);
  if ((history ?? 0) > HISTORY_MAX) parts.push(`${formatCount(history ?? 0)} changes wait to be purged`);
  const asked = (numberIn(later, 'questions') ?? 0) - (numberIn(earlier, 'questions') ?? 0) - 1;
  const perS = elapsedS >= WATCHED_S_MIN ? asked / elapsedS : 0;
  if (perS > QUESTIONS_PER_S_MAX) parts.push(`others send it ${formatCount(perS)} statements a second`);
  return { is: 'seen', parts, isDirty };
}

/** Bytes of redo log behind the last checkpoint. */
function ageOf({ status: { later } }: ServerLook): number | undefined {
  const age = numberIn(later, 'innodb_checkpoint_age');
  if (age !== undefined) return age;
  const current = numberIn(later, 'innodb_redo_log_current_lsn');
  const checkpoint = numberIn(later, 'innodb_redo_log_checkpoint_lsn');
  return current === undefined || checkpoint === undefined ? undefined : current - checkpoint;
}
