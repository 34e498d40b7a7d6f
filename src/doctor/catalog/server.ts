/** What the server is, how it was set up, and what survives a crash by its settings. */
import { durabilityOf } from '../../observe/durability.ts';
import { block, defineChecks, info, isOn, type Opinion, ok, unseen, warning } from '../check.ts';
import type { ServerLook } from '../collected.ts';
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
    examine: ({ setAtRuntime }) => {
      if (setAtRuntime.is === 'unseen') return unseen(setAtRuntime.because);
      const names = [...setAtRuntime.value.keys()].sort();
      const [first, ...others] = names.filter((name) => FLUSHING.some((each) => each === name));
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
      if (names.length === 0) return ok('No setting was changed since the server was started.');
      const shown = names.slice(0, NAMES_SHOWN_MAX).join(', ');
      const more = names.length > NAMES_SHOWN_MAX ? ` and ${names.length - NAMES_SHOWN_MAX} more` : '';
      return info(`Set while the server ran, and gone when it is restarted: ${shown}${more}.`, {
        remedy: { is: "What is to stay belongs into the server's option file." },
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
      const remedy = {
        is: 'For full durability, in the option file and a restart (SET GLOBAL makes another server of it):',
        sql: durableSql(server),
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
    const { replicas, isReplica } = replication.value;
    if (replicas > 0) parts.push(`${replicas} ${replicas === 1 ? 'replica reads' : 'replicas read'} it`);
    if (isReplica) parts.push('this server is a replica itself');
  }
  const text = parts.join(', ');
  const is = `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  if (parts.length === 1 && !hasBinlog) {
    return replication.is === 'seen'
      ? ok(is)
      : info(`${is} Whether it is a replica was not seen: ${replication.because}`);
  }
  return info(is, {
    because: 'Each of these costs something with every commit, and must be the same in runs that are compared.',
  });
}
