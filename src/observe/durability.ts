/**
 * What survives what, by the server's settings: D4 a power cut, D3 a crash of the operating system, D2 a killed server
 * process; D1 loses up to a second then; D0 may be left with data that cannot be repaired. Settings promise this only
 * where the disk keeps what it says it has flushed.
 * https://dev.mysql.com/doc/refman/8.4/en/innodb-parameters.html#sysvar_innodb_flush_log_at_trx_commit
 * https://mariadb.com/kb/en/innodb-system-variables/#innodb_flush_log_at_trx_commit
 */
import type { Durability } from '../model/judgement.ts';

export interface DurabilityClass {
  readonly is: Durability;
  readonly because: string;
}

/** `keepsFlushes` false: something says that flushes are not honoured; undefined: nothing is known. */
export function durabilityOf(
  variables: Readonly<Record<string, string>>,
  storage: { readonly keepsFlushes?: boolean; readonly because?: string } = {},
): DurabilityClass {
  const is = (name: string, ...values: readonly string[]) => values.includes(variables[name]?.toUpperCase() ?? '');
  const flush = variables['innodb_flush_log_at_trx_commit'];
  if (flush === undefined) return { is: 'unknown', because: 'The server does not tell how it flushes its log.' };
  if (is('innodb_flush_method', 'NOSYNC', 'LITTLESYNC')) {
    return { is: 'D0', because: `With innodb_flush_method = ${variables['innodb_flush_method']} nothing is flushed.` };
  }
  if (is('innodb_doublewrite', 'OFF', '0', 'DETECT_ONLY')) {
    const value = variables['innodb_doublewrite'];
    return { is: 'D0', because: `With innodb_doublewrite = ${value} a page half written cannot be repaired.` };
  }
  if (flush === '0') {
    return { is: 'D1', because: 'With innodb_flush_log_at_trx_commit = 0 a killed server loses about a second.' };
  }
  if (flush === '2') return afterCommit(is('innodb_log_file_buffering', 'OFF', '0'));
  if (is('log_bin', 'ON', '1') && !is('sync_binlog', '1', '') && flush !== '3') {
    const value = variables['sync_binlog'];
    return { is: 'D2', because: `With sync_binlog = ${value} a crash of the system loses the end of the binary log.` };
  }
  if (storage.keepsFlushes === false) {
    return { is: 'unknown', because: storage.because ?? 'The disk seems not to keep what it has flushed.' };
  }
  const provided = storage.keepsFlushes === true ? '' : ', provided that the disk keeps what it has flushed';
  return { is: 'D4', because: `Every commit is flushed before it is answered${provided}.` };
}

/** Written at commit, flushed once a second. */
function afterCommit(isDirect: boolean): DurabilityClass {
  return isDirect
    ? { is: 'D3', because: 'The log is written past the page cache at commit, and flushed once a second.' }
    : { is: 'D2', because: 'With innodb_flush_log_at_trx_commit = 2 a crash of the system loses about a second.' };
}
