import { describe, expect, test } from 'vitest';
import { cannotMatter, type KnownBeforehand } from './cannot-matter.ts';
import { readExperimentFile } from './file/read-file.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

function notes(variants: string, known: KnownBeforehand): string {
  const text = `workload: quiz\nvariants:\n${variants}`;
  return cannotMatter(readExperimentFile(text, { path: 'x.yaml' }).plan, known).join('\n');
}

const set = (name: string, settings: string) => `  ${name}: {settings: {${settings}}}\n`;
const usual = '  usual:\n';

const HASH = usual + set('on', 'innodb_adaptive_hash_index: ON');
const POOLS = set('small', 'innodb_buffer_pool_size: 128M') + set('large', 'innodb_buffer_pool_size: 9G');
const COMMIT = set('one', 'innodb_flush_log_at_trx_commit: 1') + set('two', 'innodb_flush_log_at_trx_commit: 2');
const INSTANCES = usual + set('many', 'innodb_buffer_pool_size: 9G, innodb_buffer_pool_instances: 16');

describe('said', () => {
  test.each<{ is: string; variants: string; known: KnownBeforehand; says: string }>([
    {
      is: 'on already: MySQL 8.0',
      variants: HASH,
      known: { flavor: 'mysql', version: '8.0.39' },
      says: 'innodb_adaptive_hash_index is ON in all variants, with MySQL 8.0.39',
    },
    {
      is: 'on already: MariaDB 10.4',
      variants: HASH,
      known: { flavor: 'mariadb', version: '10.4.30-MariaDB' },
      says: 'changes nothing',
    },
    {
      is: 'as this server has it',
      variants: usual + set('same', 'innodb_log_file_size: 96M'),
      known: { variables: { innodb_log_file_size: String(96 * MIB) } },
      says: 'innodb_log_file_size is 96.0 MiB in all variants, with this server',
    },
    {
      is: 'a switch that is off already',
      variants: usual + set('off', 'skip_log_bin: '),
      known: { variables: { skip_log_bin: '' } },
      says: 'log_bin is OFF in all variants',
    },
    {
      is: 'flushing, for reads',
      variants: COMMIT,
      known: { writes: false },
      says: 'innodb_flush_log_at_trx_commit cannot matter here: it concerns writing, and the load only reads.',
    },
    {
      is: 'the binary log, for reads',
      variants: set('on', 'log_bin: binlog') + set('off', 'skip_log_bin: '),
      known: { writes: false },
      says: 'log_bin cannot matter here',
    },
    {
      is: 'any pool, for little data',
      variants: POOLS,
      known: { dataBytes: 4 * MIB, writes: false },
      says: 'innodb_buffer_pool_size cannot matter here: even 128M holds all data, about 4.0 MiB.',
    },
    {
      is: 'any pool, for little data that grows',
      variants: POOLS,
      known: { dataBytes: 4 * MIB, writes: true },
      says: 'about 4.0 MiB, as long as it does not grow beyond that.',
    },
    {
      is: 'more than enough',
      variants: POOLS + set('middle', 'innodb_buffer_pool_size: 512M'),
      known: { dataBytes: 236 * MIB, writes: false },
      says: 'Beyond 512M, innodb_buffer_pool_size cannot matter here: that holds all data, about 236.0 MiB.',
    },
    {
      is: 'instances on MariaDB',
      variants: INSTANCES,
      known: { flavor: 'mariadb', version: '10.11.6-MariaDB' },
      says: 'innodb_buffer_pool_instances does nothing: since MariaDB 10.5 the buffer pool is a single one.',
    },
    {
      is: 'a pool that MySQL rounds',
      variants: INSTANCES,
      known: { flavor: 'mysql', version: '8.0.39' },
      says: 'many asks for a pool of 9G, and MySQL makes 10.0 GiB of it',
    },
    {
      is: 'instances of a small pool',
      variants: usual + set('many', 'innodb_buffer_pool_size: 512M, innodb_buffer_pool_instances: 4'),
      known: { flavor: 'mysql', version: '8.0.39' },
      says: 'does nothing in many: a pool below 1 GiB is a single one.',
    },
    {
      is: 'a superseded redo log',
      variants: usual + set('large', 'innodb_log_file_size: 1G'),
      known: { flavor: 'mysql', version: '8.0.39' },
      says: 'innodb_log_file_size is superseded since MySQL 8.0.30',
    },
    {
      is: 'a pool beyond the memory',
      variants: POOLS,
      known: { memoryBytes: 8 * GIB, dataBytes: 50 * GIB },
      says: "The pool of large, 9G, leaves too little of this host's 8.0 GiB: it may swap.",
    },
    {
      is: 'what a crash loses',
      variants: COMMIT,
      known: { writes: true },
      says: 'innodb_flush_log_at_trx_commit also decides what a crash loses',
    },
    {
      is: 'what a crash loses, by two settings',
      variants:
        set('one', 'innodb_flush_log_at_trx_commit: 1, sync_binlog: 1') +
        set('two', 'innodb_flush_log_at_trx_commit: 2, sync_binlog: 0'),
      known: { writes: true },
      says: 'innodb_flush_log_at_trx_commit and sync_binlog also decide what a crash loses',
    },
  ])('$is', ({ variants, known, says }) => {
    expect(notes(variants, known)).toContain(says);
  });
});

describe('nothing said', () => {
  test.each<{ is: string; variants: string; known: KnownBeforehand }>([
    { is: 'the hash index, off on MariaDB', variants: HASH, known: { flavor: 'mariadb', version: '10.11.6-MariaDB' } },
    { is: 'the hash index, off on MySQL 8.4', variants: HASH, known: { flavor: 'mysql', version: '8.4.2' } },
    { is: 'the hash index of a server that is not known', variants: HASH, known: {} },
    { is: 'a pool, for data of unknown size', variants: POOLS, known: { writes: false } },
    { is: 'a pool, for data that fits one of them', variants: POOLS, known: { dataBytes: 236 * MIB, writes: false } },
    { is: 'flushing, for a load that may write', variants: COMMIT, known: {} },
    {
      is: 'a large pool that little data never fills',
      variants: POOLS,
      known: { memoryBytes: 8 * GIB, dataBytes: GIB },
    },
    {
      is: 'instances that fit',
      variants: usual + set('many', 'innodb_buffer_pool_size: 8G, innodb_buffer_pool_instances: 16'),
      known: { flavor: 'mysql', version: '8.0.39' },
    },
    {
      is: 'a redo log before MySQL 8.0.30',
      variants: usual + set('large', 'innodb_log_file_size: 1G'),
      known: { flavor: 'mysql', version: '8.0.29' },
    },
  ])('$is', ({ variants, known }) => {
    expect(notes(variants, known)).toBe('');
  });
});
