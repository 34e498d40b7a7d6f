/** What the server is, how it was set up, and what survives a crash by its settings. */
import { durabilityOf } from '../../observe/durability.ts';
import { block, defineChecks, info, isOn, type Opinion, ok, unseen, warning } from '../check.ts';
import type { ReplicationLook, ServerLook } from '../collected.ts';
import { storageOf } from '../flush-sign.ts';

/**
 * A file and SET GLOBAL do not make the same server of these: MariaDB, for one, opens its redo log past the page cache
 * or through it when it starts, by the value that it then finds.
 */
const FLUSHING = [
  'innodb_flush_log_at_trx_commit',
  'innodb_flush_log_at_timeout',
  'innodb_flush_method',
  'innodb_doublewrite',
  'innodb_use_fdatasync',
  'innodb_log_file_buffering',
  'innodb_log_file_write_through',
  'innodb_data_file_buffering',
  'innodb_data_file_write_through',
  'sync_binlog',
] as const;
const NAMES_SHOWN_MAX = 6;
const NO_DRIFT = 'The settings are those with which the server was started.';

export default defineChecks([
  {
    number: 22,
    id: 'server-build',
    title: 'server and its build',
    of: 'server',
    examine: (server) => {
      const { flavor, version, variables } = server;
      const comment = variables.get('version_comment') ?? '';
      const name = `${flavor === 'mariadb' ? 'MariaDB' : 'MySQL'} ${version}`;
      const sign = debugSign(variables, `${version} ${comment}`);
      if (sign === undefined) return ok(`${name}${comment === '' ? '' : ` (${comment})`}, no debug build.`);
      return block(`${name} is a build for finding mistakes: ${sign}.`, {
        because: 'Such a build is several times slower, and not everywhere by as much.',
        remedy: { is: 'Take a release build, and without sanitizers.' },
      });
    },
  },
  {
    number: 23,
    id: 'settings-drift',
    title: 'settings that no file has',
    of: 'server',
    examine: ({ setAtRuntime, defaults, startedWith }) => {
      if (setAtRuntime.is === 'unseen') return unseen(setAtRuntime.because);
      const isBack = (name: string) => startedWith?.get(name) === setAtRuntime.value.get(name);
      const names = [...setAtRuntime.value.keys()].filter((name) => !isBack(name)).sort();
      // What has its default again, as after an experiment, is what it is after a restart, too.
      const isDefault = (name: string) =>
        startedWith?.has(name) !== true && defaults.get(name) === setAtRuntime.value.get(name);
      const flushes = (name: string) => FLUSHING.some((each) => each === name);
      const [first, ...others] = names.filter((name) => flushes(name) && !isDefault(name));
      if (first !== undefined) {
        const flushing = [first, ...others];
        return block(`Set while the server ran: ${flushing.join(', ')}.`, {
          because:
            'In an option file the same value makes another server: it may flush otherwise, faster or slower, and lose more or less in a crash.',
          remedy: {
            is: `Write it into the server's option file and restart it: ${flushing.map((name) => `${name} = ${setAtRuntime.value.get(name)}`).join(', ')}`,
          },
        });
      }
      if (names.length === 0) return ok(NO_DRIFT);
      const again = names.filter(isDefault);
      const parted = names.filter((name) => !isDefault(name));
      const sentences = [
        ...(parted.length === 0 ? [] : [`Set while the server ran, and gone when it is restarted: ${shown(parted)}.`]),
        ...(again.length === 0 ? [] : [`Set while the server ran, to what is the default: ${shown(again)}.`]),
      ];
      return info(sentences.join(' '), {
        ...(again.length === 0
          ? {}
          : { because: 'The default holds again after a restart, unless an option file says otherwise.' }),
        ...(parted.length === 0 ? {} : { remedy: { is: "What is to stay belongs into the server's option file." } }),
      });
    },
  },
  {
    number: 24,
    id: 'durability',
    title: 'what survives a crash',
    of: 'server',
    examine: (server, { collected }) => {
      const { is, because } = durabilityOf(Object.fromEntries(server.variables), storageOf(collected.serverHost));
      if (is === 'D4') return ok(`D4: what is committed survives a loss of power. ${because}`);
      const sql = durableSql(server);
      const remedy =
        sql.length === 0
          ? { is: 'For full durability, change what is named here in the option file, and restart the server.' }
          : {
              is: 'For full durability, in the option file and a restart (SET GLOBAL makes another server of it):',
              sql,
            };
      if (is === 'D0')
        return warning(`D0: a crash may leave data that cannot be repaired. ${because}`, { because, remedy });
      if (is === 'unknown') return unseen(`What survives a crash is not known. ${because}`);
      return info(`${is}: ${because} Compare only with servers of the same class.`, { because, remedy });
    },
  },
  {
    number: 25,
    id: 'replication',
    title: 'binary log, replicas, GTID',
    of: 'server',
    examine: (server) => examineReplication(server),
  },
]);

function shown(names: readonly string[]): string {
  const more = names.length > NAMES_SHOWN_MAX ? ` and ${names.length - NAMES_SHOWN_MAX} more` : '';
  return `${names.slice(0, NAMES_SHOWN_MAX).join(', ')}${more}`;
}

function debugSign(variables: ReadonlyMap<string, string>, words: string): string | undefined {
  const word = /\b(?:debug|asan|ubsan|msan|tsan|valgrind|sanitizer)\b/i.exec(words)?.[0];
  if (word !== undefined) return `it calls itself ${word}`;
  // These exist in debug builds only.
  const variable = ['debug', 'debug_dbug'].find((name) => variables.has(name));
  if (variable !== undefined) return `it has the variable ${variable}`;
  const sanitizer = variables.get('have_sanitizer');
  return sanitizer === undefined || /^(?:|no|none|off)$/i.test(sanitizer) ? undefined : `have_sanitizer = ${sanitizer}`;
}

function durableSql({ variables }: ServerLook): string[] {
  return [
    ...(variables.get('innodb_flush_log_at_trx_commit') === '1'
      ? []
      : ['SET GLOBAL innodb_flush_log_at_trx_commit = 1']),
    ...(isOn(variables, 'log_bin') && variables.get('sync_binlog') !== '1' ? ['SET GLOBAL sync_binlog = 1'] : []),
  ];
}

/** A replica is said to be behind for a moment at each large transaction, which is no work that will last. */
const BEHIND_S = 5;

/** What it does besides the load, or will not do in it. */
function catchingUp({ replica, cluster }: ReplicationLook) {
  if (cluster !== undefined && (cluster.status !== 'Primary' || cluster.state !== 'Synced')) {
    return {
      is: `The cluster is ${cluster.status}, and this member is not in step with it.`,
      because: 'A member that joins, desynchronised or donates its data does other work beside the load.',
      remedy: { is: 'Wait until wsrep_local_state_comment is Synced:', sql: ["SHOW GLOBAL STATUS LIKE 'wsrep%'"] },
    };
  }
  if (replica === undefined) return undefined;
  const { secondsBehind = 0, isReceiving, isApplying } = replica;
  if (secondsBehind >= BEHIND_S) {
    return {
      is: `It is ${secondsBehind} s behind.`,
      because: 'Catching up takes processors, disk and locks from the load.',
      remedy: { is: 'Wait until it has caught up, or stop it for the time of the run.' },
    };
  }
  if (isReceiving === isApplying) return undefined;
  return {
    is: `It ${isReceiving ? 'receives and does not apply' : 'applies and does not receive'}.`,
    because: 'A replica that is half stopped works at other times than one that is not.',
    remedy: { is: 'Start both of its threads, or stop both.' },
  };
}

function examineReplication({ variables, replication }: ServerLook): Opinion {
  const hasBinlog = isOn(variables, 'log_bin');
  const semisync = [...variables].some(
    ([name, value]) => /^rpl_semi_sync_(?:master|source)_enabled$/.test(name) && /^(?:on|1)$/i.test(value),
  );
  const gtid = isOn(variables, 'gtid_mode') || isOn(variables, 'gtid_strict_mode');
  const parts = [
    hasBinlog
      ? `the binary log is on (${variables.get('binlog_format') ?? 'format unknown'})`
      : 'there is no binary log',
    ...(gtid ? ['GTIDs are on'] : []),
    ...(semisync ? ['commits wait for a replica (semi-synchronous)'] : []),
  ];
  if (replication.is === 'seen') {
    const { replicas, replica, cluster } = replication.value;
    if (replicas > 0) parts.push(`${replicas} ${replicas === 1 ? 'replica reads' : 'replicas read'} it`);
    if (replica !== undefined) parts.push('this server is a replica itself');
    if (cluster !== undefined) parts.push(`it is a member of a Galera cluster of ${cluster.size} (${cluster.state})`);
  }
  const text = parts.join(', ');
  const is = `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  const unrest = replication.is === 'seen' ? catchingUp(replication.value) : undefined;
  if (unrest !== undefined) return warning(`${is} ${unrest.is}`, { because: unrest.because, remedy: unrest.remedy });
  if (parts.length === 1 && !hasBinlog) {
    return replication.is === 'seen'
      ? ok(is)
      : info(`${is} Whether it is a replica was not seen: ${replication.because}`);
  }
  return info(is, {
    because: 'Each of these costs something with every commit, and must be the same in runs that are compared.',
  });
}
