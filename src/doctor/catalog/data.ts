/** The tables: what the server believes of them, how large they are beside memory, and how much is in it already. */
import { formatBytes, formatCount, formatPercent } from '../../base/units.ts';
import {
  block,
  type Case,
  defineChecks,
  info,
  numberIn,
  numberOf,
  type Opinion,
  ok,
  unseen,
  warning,
} from '../check.ts';
import type { ServerLook } from '../collected.ts';
import { problemOpinion, problemsOf } from '../problems.ts';
import { dataBytesOf, poolBytesOf, STALE_SHARE, staleTables } from '../sizes.ts';

const IN_MEMORY_SHARE = 0.8;
const DISK_BOUND_FACTOR = 2;
/** Below, what is not in the pool is read within the first second. */
const COLD_BYTES_MIN = 64 * 2 ** 20;
const WARM_SHARE_MIN = 0.5;
/** Through the page cache; MariaDB 11 and newer have a variable for each kind of file. */
const BUFFERED = /^(?:fsync|O_DSYNC|littlesync|nosync)?$/i;
/** As MySQL and MariaDB say it while they are at it. */
const LOADING = /^(?:Loaded \d+\/\d+ pages|Loading buffer pool)/i;

export default defineChecks([
  {
    number: 26,
    id: 'table-statistics',
    title: 'tables and their statistics',
    of: 'plan',
    examine: (plan, { collected }) => {
      if (collected.server.is === 'unseen') return unseen(collected.server.because);
      const problems = problemsOf(collected.problems, 'tables');
      if (problems.is === 'unseen') return unseen(problems.because);
      if (problems.value.length > 0) {
        return problemOpinion(problems.value, 'Rows that are not there cannot be hit, and the load is another one.');
      }
      const { tables } = collected.server.value;
      if (tables.is === 'unseen') return unseen(tables.because);
      const stale = staleTables(plan, tables.value);
      const [first] = stale;
      if (first === undefined) {
        return ok(
          plan.tables.length === 0 ? 'The load needs no tables.' : 'The tables are there, and their statistics fit.',
        );
      }
      return warning(
        `The server believes that ${first.name} has ${formatCount(first.rowsEstimate)} rows, where ${formatCount(first.rowsMin)} are wanted.`,
        {
          because: `It is off by more than ${formatPercent(STALE_SHARE)}, in ${stale.length} of ${plan.tables.length} tables: plans are made by such figures, and they change when it looks again, in the middle of a run.`,
          remedy: {
            is: 'Let it count anew:',
            sql: [`ANALYZE TABLE ${stale.map(({ name }) => `\`${name}\``).join(', ')}`],
          },
        },
      );
    },
  },
  {
    number: 27,
    id: 'data-size',
    title: 'data beside memory',
    of: 'server',
    examine: (server, it) => examineSize(server, it),
  },
  {
    number: 28,
    id: 'pool-warm',
    title: 'buffer pool warm',
    of: 'server',
    examine: (server, it) => examinePool(server, it),
  },
]);

function examineSize(server: ServerLook, { plan, collected }: Case): Opinion {
  const pool = poolBytesOf(server);
  if (server.tables.is === 'unseen') return unseen(server.tables.because);
  if (pool === undefined) return unseen('The server does not tell the size of its buffer pool.');
  const data = dataBytesOf(server.tables.value);
  if (data === 0) return unseen('No tables are there, or none that this user may see.');
  if (plan !== undefined && staleTables(plan, server.tables.value).length > 0) {
    return unseen('The server does not know yet how large the tables are: its statistics are too old.');
  }
  const { serverHost } = collected;
  const host = serverHost.is === 'seen' ? serverHost.value : undefined;
  const memory = host && (numberOf(host, 'cgroup.memoryLimitBytes') ?? numberOf(host, 'memory.totalBytes'));
  const sizes = `${formatBytes(data)} of data, ${formatBytes(pool)} of buffer pool${memory === undefined ? '' : `, ${formatBytes(memory)} of memory`}`;
  if (data < IN_MEMORY_SHARE * pool) return ok(`In memory: ${sizes}.`);
  if (data <= pool)
    return info(`Just in memory: ${sizes}.`, { because: 'Old versions of rows take room in the pool too.' });
  if (memory !== undefined && data < memory && isBuffered(server.variables)) {
    return warning(`In the memory of the system, not of the server: ${sizes}.`, {
      because:
        'What the pool lacks then comes from the page cache: neither the disk is measured nor the pool, and what else runs decides.',
      remedy: {
        is: "In the server's option file, then restart it: innodb_flush_method = O_DIRECT, and a pool that holds the data, or is as small as is meant:",
        sql: [`SET GLOBAL innodb_buffer_pool_size = ${roundUpTo(128 * 2 ** 20, data * 1.2)}`],
      },
    });
  }
  const isDisk = data > DISK_BOUND_FACTOR * pool;
  return info(`${isDisk ? 'Mostly on disk' : 'Partly on disk'}: ${sizes}.`, {
    because: 'The disk has a share in every figure; a pool that is larger by a little may change them by much.',
  });
}

function roundUpTo(step: number, bytes: number): number {
  return Math.ceil(bytes / step) * step;
}

function isBuffered(variables: ReadonlyMap<string, string>): boolean {
  const buffering = variables.get('innodb_data_file_buffering');
  if (buffering !== undefined) return /^(?:on|1)$/i.test(buffering);
  return BUFFERED.test(variables.get('innodb_flush_method') ?? 'unknown');
}

function examinePool(server: ServerLook, { plan }: Case): Opinion {
  const { earlier, later } = server.status;
  const loading = later.get('innodb_buffer_pool_load_status') ?? '';
  if (LOADING.test(loading)) {
    return block(`The server is still loading its buffer pool: ${loading}.`, {
      because: 'It reads from the disk meanwhile, and every second is faster than the one before.',
      remedy: {
        is: 'Wait until Innodb_buffer_pool_load_status says completed:',
        sql: ["SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_load_status'"],
      },
    });
  }
  const pool = poolBytesOf(server);
  const held = numberIn(later, 'innodb_buffer_pool_bytes_data') ?? numberIn(earlier, 'innodb_buffer_pool_bytes_data');
  if (pool === undefined || held === undefined) return unseen('The server does not tell what its buffer pool holds.');
  if (plan === undefined) return ok(`The buffer pool holds ${formatBytes(held)} of ${formatBytes(pool)}.`);
  if (server.tables.is === 'unseen') return unseen(server.tables.because);
  const wanted = Math.min(dataBytesOf(server.tables.value), pool);
  const measured = `The buffer pool holds ${formatBytes(held)}, and ${formatBytes(wanted)} of the data would fit`;
  const isCold = wanted >= COLD_BYTES_MIN && held < WARM_SHARE_MIN * wanted;
  if (!isCold) return ok(`${measured}.`);
  const remedy = {
    is: `Read it in first, or let it warm up unmeasured (--warmup-time): the same command with prewarm in place of run.`,
  };
  const because = 'The first part of the run would read from the disk what the rest finds in memory.';
  return plan.warmupS > 0
    ? info(`${measured}; the load begins with a warm-up.`, { because, remedy })
    : warning(`${measured}.`, { because, remedy });
}
