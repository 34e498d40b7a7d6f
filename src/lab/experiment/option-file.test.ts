/** The option file of a variant, what may stand in it, and what a server's complaint about it becomes. */
import { describe, expect, test } from 'vitest';
import { refuse } from './option-check.ts';
import { checkSettings, lineOf, optionFileText } from './option-file.ts';

const MARIADB = { flavor: 'mariadb', version: '10.11.6-MariaDB' } as const;
const MEMORY = 8 * 2 ** 30;

describe('the file', () => {
  test('has what every private server has, unless something else is asked for, in whatever spelling', () => {
    const text = optionFileText(MARIADB, MEMORY, [
      { comment: 'Of the experiment', settings: { 'Loose-Innodb-Buffer-Pool-Size': '1G', log_bin: 'binlog' } },
      { comment: 'Of none', settings: {} },
    ]);
    expect(text).toMatch(/^\[mysqld\]\n/);
    expect(text).toContain('\n# Of the experiment\nLoose-Innodb-Buffer-Pool-Size = 1G\nlog_bin = binlog\n');
    expect(text).toContain('\nmax_connections = 4100\n');
    expect(text).toContain('\nskip_name_resolve\n');
    expect(text).not.toContain('innodb_buffer_pool_size =');
    expect(text).not.toContain('skip_log_bin');
    expect(text).not.toContain('Of none');
  });

  test.each([
    { value: 'C:\\data', line: 'x = C:\\\\data', because: 'a backslash begins an escape' },
    { value: 'a#b', line: 'x = "a#b"', because: 'a # begins a comment' },
    { value: 'a"#b', line: "x = 'a\"#b'", because: 'the quotes must be others' },
    { value: ' a', line: 'x = " a"', because: 'spaces at the ends are cut off' },
    { value: "SET @a = 'b'", line: "x = SET @a = 'b'", because: 'quotes inside are kept' },
  ])('$value is written $line, since $because', ({ value, line }) => {
    const text = optionFileText(MARIADB, MEMORY, [{ comment: 'c', settings: { x: value } }]);
    expect(text.split('\n')).toContain(line);
  });

  test.each([
    { settings: { datadir: '/x' }, says: /decides --datadir itself/ },
    { settings: { innodb_undo_directory: '/x' }, says: /outside the data directory/ },
    { settings: { init_connect: 'a\nskip_grant_tables' }, says: /more than one line/ },
    { settings: { 'x\nskip_grant_tables': '' }, says: /not a server option/ },
    { settings: { '!include /etc/my.cnf': '' }, says: /not a server option/ },
  ])('$settings is refused', ({ settings, says }) => {
    expect(() => checkSettings(settings as unknown as Record<string, string>)).toThrow(says);
  });
});

describe("the server's complaint", () => {
  const text = '[mysqld]\nmax_connections = 5\n\n# Of variant b\nfoo_bar = 1\nplugin_load_add = ha_x\n';

  test.each([
    {
      log: "2026-11-30 23:02:24 0 [ERROR] /usr/sbin/mariadbd: unknown variable 'foo-bar=1'",
      says: "Variant 'b': the server refuses line 5 of its option file, foo_bar = 1. It says: unknown variable 'foo-bar=1'.",
    },
    {
      log: "2026-11-30T23:02:24.1Z 0 [ERROR] [MY-000067] [Server] unknown variable 'foo_bar=1'.",
      says: "refuses line 5 of its option file, foo_bar = 1. It says: unknown variable 'foo_bar=1'.",
    },
    {
      log: "0 [ERROR] Unknown suffix 'Q' used for variable 'max-connections' (value '5Q'). Legal suffix characters are: K",
      says: 'line 2 of its option file, max_connections = 5.',
    },
    {
      log: "0 [ERROR] mariadbd: Can't open shared library '/usr/lib/ha_x.so' (errno: 2)",
      says: 'line 6 of its option file, plugin_load_add = ha_x.',
    },
    { log: "0 [ERROR] unknown variable 'other=1'", says: 'the server refuses its option file. It says:' },
  ])('$log', ({ log, says }) => {
    expect(() => refuse(`0 [Note] starting\n${log}\n0 [ERROR] Aborting`, text, 'b')).toThrow(says);
  });

  test('other errors are none of an option', () => {
    expect(() => refuse("0 [ERROR] Can't start server: Bind on TCP/IP port", text, 'b')).not.toThrow();
    expect(() => refuse("0 [Warning] unknown variable 'loose_foo_bar=1'", text, 'b')).not.toThrow();
  });

  test('the last line of a name counts', () => {
    expect(lineOf('a = 1\nb\n a = 2', 'loose-A')).toEqual({ number: 3, line: ' a = 2' });
    expect(lineOf('a = 1', 'b')).toBeUndefined();
  });
});
