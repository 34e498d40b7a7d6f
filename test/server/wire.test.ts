/** The protocol client against a real server: values, results, long packets, files, and how connections end. */
import { Readable } from 'node:stream';
import * as mariadb from 'mariadb';
import mysql2 from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PrivateServer, startPrivateServer } from '../../src/lab/server.ts';
import { connect } from '../../src/wire/connection.ts';
import { CAPABILITY, SERVER_STATUS } from '../../src/wire/constants.ts';
import type { Connection, ConnectOptions, SqlParameter, SqlValue } from '../../src/wire/types.ts';
import { type GreetingProxy, startGreetingProxy } from '../support/greeting-proxy.ts';

const MIB = 1024 * 1024;

let server: PrivateServer;
let admin: Connection;

function open(options: Partial<ConnectOptions> = {}): Promise<Connection> {
  const { socketPath } = server;
  return connect({ user: 'root', password: '', sslMode: 'DISABLED', database: 'wire', socketPath, ...options });
}

/** Over TCP, by way of the proxy. */
function openThrough({ host, port }: GreetingProxy, options: Partial<ConnectOptions> = {}): Promise<Connection> {
  return connect({ user: 'root', password: '', sslMode: 'DISABLED', database: 'wire', host, port, ...options });
}

beforeAll(async () => {
  server = await startPrivateServer({ extraArguments: ['--max-allowed-packet=128M', '--local-infile=1'] });
  admin = await open({ database: '', multiStatements: true });
  await admin.execute("CREATE DATABASE wire CHARACTER SET utf8mb4; USE wire; SET SESSION sql_mode = ''");
});

afterAll(async () => {
  await admin?.close();
  await server?.stop();
});

interface TypeCase {
  readonly type: string;
  readonly insert: string;
  readonly value: SqlValue;
  /** Only MariaDB has the type. */
  readonly mariadb?: true;
}

const TYPES: readonly TypeCase[] = [
  { type: 'TINYINT', insert: '-128', value: -128 },
  { type: 'TINYINT UNSIGNED', insert: '255', value: 255 },
  { type: 'BOOL', insert: 'TRUE', value: 1 },
  { type: 'SMALLINT', insert: '-32768', value: -32_768 },
  { type: 'SMALLINT UNSIGNED', insert: '65535', value: 65_535 },
  { type: 'MEDIUMINT', insert: '-8388608', value: -8_388_608 },
  { type: 'MEDIUMINT UNSIGNED', insert: '16777215', value: 16_777_215 },
  { type: 'INT', insert: '-2147483648', value: -2_147_483_648 },
  { type: 'INT UNSIGNED', insert: '4294967295', value: 4_294_967_295 },
  { type: 'INT(8) ZEROFILL', insert: '42', value: 42 },
  { type: 'BIGINT', insert: '-9223372036854775808', value: -(2n ** 63n) },
  { type: 'BIGINT', insert: '9223372036854775807', value: 2n ** 63n - 1n },
  { type: 'BIGINT', insert: '9007199254740993', value: 9_007_199_254_740_993n },
  { type: 'BIGINT', insert: '-9007199254740991', value: Number.MIN_SAFE_INTEGER },
  { type: 'BIGINT UNSIGNED', insert: '18446744073709551615', value: 2n ** 64n - 1n },
  {
    type: 'DECIMAL(65,30)',
    insert: `${'9'.repeat(35)}.${'1'.repeat(30)}`,
    value: `${'9'.repeat(35)}.${'1'.repeat(30)}`,
  },
  { type: 'DECIMAL(10,0)', insert: '-5', value: '-5' },
  { type: 'FLOAT', insert: '0.1', value: 0.1 },
  { type: 'FLOAT', insert: '-1.5e20', value: -1.5e20 },
  { type: 'DOUBLE', insert: '0.1', value: 0.1 },
  { type: 'DOUBLE', insert: '1.7976931348623157e308', value: Number.MAX_VALUE },
  { type: 'BIT(1)', insert: "b'1'", value: Buffer.of(1) },
  { type: 'BIT(64)', insert: "x'0123456789abcdef'", value: Buffer.from('0123456789abcdef', 'hex') },
  { type: 'DATE', insert: "'2024-02-29'", value: '2024-02-29' },
  { type: 'DATE', insert: "'0000-00-00'", value: '0000-00-00' },
  { type: 'DATE', insert: "'2024-00-00'", value: '2024-00-00' },
  { type: 'TIME', insert: "'-838:59:59'", value: '-838:59:59' },
  { type: 'TIME', insert: "'00:00:00'", value: '00:00:00' },
  { type: 'TIME(3)', insert: "'00:00:00'", value: '00:00:00.000' },
  { type: 'TIME(6)', insert: "'-00:00:00.000001'", value: '-00:00:00.000001' },
  { type: 'TIME(2)', insert: "'100:01:02.34'", value: '100:01:02.34' },
  { type: 'DATETIME', insert: "'9999-12-31 23:59:59'", value: '9999-12-31 23:59:59' },
  { type: 'DATETIME', insert: "'2024-01-01 00:00:00'", value: '2024-01-01 00:00:00' },
  { type: 'DATETIME(3)', insert: "'2024-01-01 01:02:03.045'", value: '2024-01-01 01:02:03.045' },
  { type: 'DATETIME(6)', insert: "'0000-00-00 00:00:00'", value: '0000-00-00 00:00:00.000000' },
  { type: 'TIMESTAMP(6) NULL', insert: "'2024-01-01 01:02:03.000004'", value: '2024-01-01 01:02:03.000004' },
  { type: 'YEAR', insert: '2155', value: 2155 },
  { type: 'YEAR', insert: "'0000'", value: 0 },
  { type: 'CHAR(5)', insert: "'a€😀'", value: 'a€😀' },
  { type: 'VARCHAR(300)', insert: "REPEAT('é', 300)", value: 'é'.repeat(300) },
  { type: 'VARCHAR(5) CHARACTER SET latin1', insert: "'é'", value: 'é' },
  { type: 'VARCHAR(5)', insert: "''", value: '' },
  { type: 'BINARY(4)', insert: "x'00ff'", value: Buffer.from('00ff0000', 'hex') },
  { type: 'VARBINARY(4)', insert: "x'00ff'", value: Buffer.from('00ff', 'hex') },
  { type: 'TINYTEXT', insert: "'tiny'", value: 'tiny' },
  { type: 'TEXT', insert: "REPEAT('x', 60000)", value: 'x'.repeat(60_000) },
  { type: 'MEDIUMTEXT', insert: "REPEAT('y', 70000)", value: 'y'.repeat(70_000) },
  { type: 'LONGTEXT', insert: "'long'", value: 'long' },
  { type: 'TINYBLOB', insert: "x'fe'", value: Buffer.of(0xfe) },
  { type: 'BLOB', insert: "x''", value: Buffer.alloc(0) },
  { type: 'MEDIUMBLOB', insert: "x'fb'", value: Buffer.of(0xfb) },
  { type: 'LONGBLOB', insert: "x'ff'", value: Buffer.of(0xff) },
  { type: "ENUM('small','large')", insert: "'large'", value: 'large' },
  { type: "SET('a','b','c')", insert: "'a,c'", value: 'a,c' },
  { type: 'JSON', insert: `'{"a": [1, "é"]}'`, value: '{"a": [1, "é"]}' },
  {
    type: 'POINT',
    insert: "ST_GeomFromText('POINT(1 2)')",
    value: Buffer.from('000000000101000000000000000000f03f0000000000000040', 'hex'),
  },
  {
    type: 'UUID',
    insert: "'123e4567-e89b-12d3-a456-426655440000'",
    value: '123e4567-e89b-12d3-a456-426655440000',
    mariadb: true,
  },
  { type: 'INET6', insert: "'2001:db8::ff00:42:8329'", value: '2001:db8::ff00:42:8329', mariadb: true },
];

describe('column types', () => {
  const cases = () => TYPES.filter((one) => one.mariadb === undefined || server.flavor === 'mariadb');
  const columns = () => cases().map((_, index) => `c${index}`);

  beforeAll(async () => {
    const definitions = cases().map(({ type }, index) => `c${index} ${type}`);
    await admin.execute(`CREATE TABLE types (id INT PRIMARY KEY, ${definitions.join(', ')})`);
    await admin.execute(
      `INSERT INTO types VALUES (1, ${cases()
        .map(({ insert }) => insert)
        .join(', ')})`,
    );
    await admin.execute('INSERT INTO types (id) VALUES (2)');
  });

  const select = () => `SELECT ${columns().join(', ')} FROM types ORDER BY id`;

  test.each([{ withheld: 0 }, { withheld: CAPABILITY.DEPRECATE_EOF }])(
    'text, without capabilities $withheld',
    async ({ withheld }) => {
      using proxy = await startGreetingProxy(server.socketPath, withheld);
      await using connection = await openThrough(proxy);
      const { rows } = await connection.read(select());
      for (const [index, { type, value }] of cases().entries())
        expect([type, rows[0]![index]]).toStrictEqual([type, value]);
      expect(rows[1]).toEqual(cases().map(() => null));
    },
  );

  test.each([{ withheld: 0 }, { withheld: CAPABILITY.DEPRECATE_EOF }])(
    'binary, without capabilities $withheld',
    async ({ withheld }) => {
      using proxy = await startGreetingProxy(server.socketPath, withheld);
      await using connection = await openThrough(proxy);
      const statement = await connection.prepare(select());
      for (let round = 0; round < 2; round++) {
        const { rows } = await statement.read();
        for (const [index, { type, value }] of cases().entries())
          expect([type, rows[0]![index]]).toStrictEqual([type, value]);
        expect(rows[1]).toEqual(cases().map(() => null));
      }
    },
  );

  test('mysql2 sees the same text', async () => {
    const peer = await mysql2.createConnection({ user: 'root', socketPath: server.socketPath, database: 'wire' });
    const [rows] = await peer.query({ sql: select(), rowsAsArray: true, typeCast: (field) => field.buffer() });
    await peer.end();
    const [theirs] = rows as unknown as Buffer[][];
    const ours = (await admin.read(select())).rows[0]!;
    for (const [index, { type }] of cases().entries()) {
      const value = ours[index]!;
      const raw = theirs![index]!;
      const their = typeof value === 'string' ? raw.toString() : typeof value === 'object' ? raw : Number(raw);
      expect([type, typeof value === 'bigint' ? Number(value) : value]).toEqual([type, their]);
      if (typeof value === 'bigint') expect(value).toBe(BigInt(raw.toString()));
    }
  });

  test('the mariadb driver sees the same values in the binary protocol', async () => {
    const peer = await mariadb.createConnection({
      user: 'root',
      socketPath: server.socketPath,
      database: 'wire',
      dateStrings: true,
      rowsAsArray: true,
      autoJsonMap: false,
      typeCast: (field, next) => (field.type === 'GEOMETRY' ? field.buffer() : next()),
    });
    const simple = cases().filter(({ type }) => !/^(BIT\(1\)|FLOAT|DATE|TIME|YEAR|SET|JSON)/.test(type));
    const names = simple.map((one) => `c${cases().indexOf(one)}`).join(', ');
    const [theirs] = (await peer.execute(`SELECT ${names} FROM types WHERE id = 1`)) as unknown[][];
    await peer.end();
    for (const [index, { type, value }] of simple.entries()) {
      const their = theirs![index];
      const asOurs = typeof their === 'bigint' && typeof value === 'number' ? Number(their) : their;
      expect([type, asOurs]).toEqual([type, value]);
    }
  });

  test('what was read goes in again unchanged as parameters', async () => {
    await using connection = await open();
    await connection.execute("SET SESSION sql_mode = ''");
    await connection.execute('CREATE TEMPORARY TABLE copy LIKE types');
    const { rows } = await connection.read(select());
    const insert = await connection.prepare(
      `INSERT INTO copy VALUES (?, ${columns()
        .map(() => '?')
        .join(', ')})`,
    );
    for (const [index, row] of rows.entries()) await insert.execute([index + 1, ...row]);
    expect((await connection.read(`SELECT ${columns().join(', ')} FROM copy ORDER BY id`)).rows).toEqual(rows);
  });

  test.each<{ sent: SqlParameter; read: SqlValue; as?: string; because: string }>([
    { sent: 2 ** 53, read: 2 ** 53, because: 'an integer that is no longer exact goes as DOUBLE' },
    { sent: true, read: 1, because: 'TRUE is 1' },
    { sent: 2n ** 64n - 1n, read: '18446744073709551615', as: 'DECIMAL(20)', because: 'unsigned where it must be' },
    { sent: -(2n ** 63n), read: '-9223372036854775808', as: 'DECIMAL(20)', because: 'signed elsewhere' },
    { sent: Number.MIN_SAFE_INTEGER, read: '-9007199254740991', as: 'DECIMAL(20)', because: 'LONGLONG in two halves' },
    { sent: 'a€😀', read: 'a€😀', as: 'CHAR', because: 'UTF-8 with four bytes' },
  ])('parameter $sent: $because', async ({ sent, read, as }) => {
    const statement = await admin.prepare(as === undefined ? 'SELECT ?' : `SELECT CAST(? AS ${as})`);
    expect((await statement.read([sent])).rows).toEqual([[read]]);
    statement.close();
  });
});

describe('results', () => {
  test.each([{ withheld: 0 }, { withheld: CAPABILITY.DEPRECATE_EOF }])(
    'several statements, and an error in the second (without capabilities $withheld)',
    async ({ withheld }) => {
      using proxy = await startGreetingProxy(server.socketPath, withheld);
      await using connection = await openThrough(proxy, { multiStatements: true });
      const results = await connection.readAll('SELECT 1 UNION SELECT 2; SET @a = 5; SELECT @a');
      expect(results.map(({ hasRows, rows }) => ({ hasRows, rows }))).toEqual([
        { hasRows: true, rows: [[1], [2]] },
        { hasRows: false, rows: [] },
        { hasRows: true, rows: [[5]] },
      ]);
      expect(await connection.execute('SELECT 1; SELECT 2')).toMatchObject({ hasRows: true, rowCount: 2 });
      const failure = { code: 1146, sqlState: '42S02', symbol: 'ER_NO_SUCH_TABLE' };
      await expect(connection.readAll('SELECT 1; SELECT * FROM nowhere; SELECT 3')).rejects.toMatchObject(failure);
      expect((await connection.read('SELECT 4')).rows).toEqual([[4]]);
    },
  );

  test('several statements without leave are refused by the server', async () => {
    await using connection = await open();
    await expect(connection.execute('SELECT 1; SELECT 2')).rejects.toMatchObject({ code: 1064 });
  });

  test.each([{ withheld: 0 }, { withheld: CAPABILITY.DEPRECATE_EOF }])(
    'CALL: result sets, OUT parameters, status (without capabilities $withheld)',
    async ({ withheld }) => {
      await admin.execute(
        "DROP PROCEDURE IF EXISTS both_ways; CREATE PROCEDURE both_ways(IN i INT, OUT o BIGINT) BEGIN SELECT i, 'x'; SELECT 2.5; SET o = i * 2; END",
      );
      using proxy = await startGreetingProxy(server.socketPath, withheld);
      await using connection = await openThrough(proxy);
      const statement = await connection.prepare('CALL both_ways(?, ?)');
      for (const i of [21, 22, 23]) {
        const results = await statement.readAll([i, null]);
        expect(results.map(({ rows }) => rows)).toEqual([[[i, 'x']], [['2.5']], [[i * 2]], []]);
        const outParameters = results.map(({ status }) => (status & SERVER_STATUS.PS_OUT_PARAMS) !== 0);
        expect(outParameters).toEqual([false, false, true, false]);
        expect((await statement.read([i, null])).rows).toEqual([[i, 'x']]);
        expect(await statement.execute([i, null])).toMatchObject({ hasRows: true, rowCount: 3 });
      }
      expect((await connection.read('CALL both_ways(1, @o)')).rows).toEqual([[1, 'x']]);
    },
  );

  test('what a statement did', async () => {
    await using connection = await open();
    await connection.execute('CREATE TEMPORARY TABLE done (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, n TINYINT)');
    const insert = await connection.prepare('INSERT INTO done (n) VALUES (?)');
    expect(await insert.execute([1])).toMatchObject({ hasRows: false, affectedRows: 1, lastInsertId: 1 });
    await connection.execute('INSERT INTO done (id, n) VALUES (70000, 1)');
    expect(await insert.execute([1])).toMatchObject({ lastInsertId: 70_001 });
    expect(await connection.execute('UPDATE done SET n = 1')).toMatchObject({ affectedRows: 0 });
    await connection.execute('BEGIN');
    const { status } = await connection.execute('UPDATE done SET n = 2');
    expect(status & SERVER_STATUS.IN_TRANS).not.toBe(0);
    await connection.execute("SET SESSION sql_mode = ''");
    expect(await connection.execute("INSERT INTO done (n) VALUES ('1000')")).toMatchObject({ warningCount: 1 });
  });

  test('foundRows counts rows that matched', async () => {
    await using connection = await open({ foundRows: true });
    await connection.execute('CREATE TEMPORARY TABLE found (n INT)');
    await connection.execute('INSERT INTO found VALUES (1), (1)');
    expect(await connection.execute('UPDATE found SET n = 1')).toMatchObject({ affectedRows: 2 });
  });

  test('columns that change under a prepared statement', async () => {
    for (const withheld of [0, CAPABILITY.DEPRECATE_EOF]) {
      await admin.execute('DROP TABLE IF EXISTS moving; CREATE TABLE moving (a INT, b VARCHAR(10))');
      await admin.execute("INSERT INTO moving VALUES (1, 'x')");
      using proxy = await startGreetingProxy(server.socketPath, withheld);
      await using connection = await openThrough(proxy);
      const statement = await connection.prepare('SELECT * FROM moving WHERE 1 = ?');
      expect((await statement.read([1])).rows).toEqual([[1, 'x']]);
      const before = connection.bytesReceived;
      await statement.read([1]);
      const again = connection.bytesReceived - before;
      // Without its columns the reply is shorter than their two definitions alone.
      if (server.flavor === 'mariadb') expect(again).toBeLessThan(60);
      await admin.execute("ALTER TABLE moving ADD COLUMN d DATE DEFAULT '2020-01-02' FIRST");
      await statement.execute([1]); // Nobody looks, yet the new columns come with this one only.
      expect((await statement.read([1])).rows).toEqual([['2020-01-02', 1, 'x']]);
      expect(statement.columns.map(({ name }) => name)).toEqual(['d', 'a', 'b']);
      for (const [type, value] of [
        ['BIGINT', 1],
        ['VARCHAR(5)', '1'],
        ['DOUBLE', 1],
      ] as const) {
        await admin.execute(`ALTER TABLE moving MODIFY a ${type}`);
        await statement.execute([1]);
        expect((await statement.read([1])).rows).toEqual([['2020-01-02', value, 'x']]);
      }
      await admin.execute('ALTER TABLE moving DROP COLUMN d');
      expect((await statement.read([1])).rows).toEqual([[1, 'x']]);
    }
  });

  test('prepare, close, reset, ping', async () => {
    await using connection = await open();
    const held = async () => Number((await admin.read("SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'")).rows[0]![1]);
    const before = await held();
    const statement = await connection.prepare('SELECT ?');
    expect(statement).toMatchObject({ parameterCount: 1, sql: 'SELECT ?' });
    expect(await held()).toBe(before + 1);
    statement.close();
    await connection.ping();
    expect(await held()).toBe(before);
    await expect(connection.prepare('SELEC 1')).rejects.toMatchObject({ code: 1064, symbol: 'ER_PARSE_ERROR' });
    await connection.execute('SET @a = 1');
    await connection.reset();
    expect((await connection.read('SELECT @a')).rows).toEqual([[null]]);
  });

  test('types are sent again after a failed execution', async () => {
    await using connection = await open();
    await connection.execute('CREATE TEMPORARY TABLE uniques (id BIGINT PRIMARY KEY)');
    const insert = await connection.prepare('INSERT INTO uniques VALUES (?)');
    await insert.execute([1]);
    await expect(insert.execute([1])).rejects.toMatchObject({ code: 1062, sqlState: '23000', symbol: 'ER_DUP_ENTRY' });
    await expect(insert.execute(['1'])).rejects.toMatchObject({ code: 1062 });
    await insert.execute([2 ** 40]);
    expect((await connection.read('SELECT id FROM uniques ORDER BY id')).rows).toEqual([[1], [2 ** 40]]);
  });

  test('bytes are counted as the server counts them', async () => {
    await using connection = await open({ multiStatements: true });
    const statement = await connection.prepare('SELECT ?, REPEAT(?, 1000)');
    const counted = async () => {
      // The counters are read before their own reply goes out, and after their own request has come in.
      const received = connection.bytesReceived;
      const { rows } = await connection.read("SHOW SESSION STATUS LIKE 'Bytes_%'");
      const server = new Map(rows.map(([name, value]) => [name, Number(value)]));
      return { up: server.get('Bytes_received')! - connection.bytesSent, down: server.get('Bytes_sent')! - received };
    };
    const before = await counted();
    await connection.execute('SELECT 1; SELECT 2');
    await connection.execute(Buffer.from(`SELECT LENGTH('${'z'.repeat(17 * MIB)}')`));
    for (let index = 0; index < 5; index++) await statement.execute([index, 'ab']);
    await connection.execute("SELECT REPEAT('w', 20000000)");
    await expect(connection.execute('SELEC')).rejects.toThrow();
    await connection.ping();
    expect(await counted()).toEqual(before);
  });
});

describe('packets of 16 MiB and more', () => {
  test.each([17, 40])('%i MiB up as text, as parameter, and down', async (sizeMiB) => {
    await using connection = await open();
    const value = Buffer.alloc(sizeMiB * MIB);
    for (let offset = 0; offset < value.length; offset += 4096) value.writeUInt32LE(offset, offset);
    await connection.execute('CREATE TEMPORARY TABLE big (id INT PRIMARY KEY, v LONGBLOB)');
    const insert = await connection.prepare('INSERT INTO big VALUES (?, ?)');
    await insert.execute([1, value]);
    await connection.execute(
      Buffer.concat([
        Buffer.from("INSERT INTO big VALUES (2, x'"),
        Buffer.from(value.subarray(0, MIB).toString('hex')),
        Buffer.from("')"),
      ]),
    );
    for (const read of [connection.read('SELECT v FROM big WHERE id = 1'), undefined]) {
      const rows =
        read === undefined ? await (await connection.prepare('SELECT v FROM big WHERE id = ?')).read([1]) : await read;
      expect(value.equals(rows.rows[0]![0] as Buffer)).toBe(true);
    }
    const literal = Buffer.concat([
      Buffer.from("SELECT LENGTH('"),
      Buffer.alloc(sizeMiB * MIB, 'q'),
      Buffer.from("')"),
    ]);
    expect((await connection.read(literal.toString('latin1'))).rows).toEqual([[sizeMiB * MIB]]);
    expect(await connection.execute('SELECT v, id FROM big')).toMatchObject({ rowCount: 2 });
  });

  test.each([0xff_ffff - 6, 0xff_ffff - 5, 0xff_ffff - 4, 0xff_ffff, 2 * 0xff_ffff - 9])(
    'a row round the limit: %i bytes of text',
    async (length) => {
      const { rows } = await admin.read(`SELECT REPEAT('r', ${length})`);
      expect((rows[0]![0] as string).length).toBe(length);
      await admin.ping();
    },
  );

  test('longer than the server allows: an error that names it', async () => {
    await using connection = await open();
    const request = connection.execute(Buffer.alloc(130 * MIB, 0x20));
    await expect(request).rejects.toThrow(/max_allowed_packet/);
  });
});

describe('LOAD DATA LOCAL INFILE', () => {
  const load = "LOAD DATA LOCAL INFILE 'whatever' INTO TABLE loaded";
  const rows = async () => (await admin.read('SELECT COUNT(*), SUM(n) FROM loaded')).rows[0];

  beforeAll(async () => {
    await admin.execute('CREATE TABLE loaded (n INT) ENGINE = InnoDB');
  });

  test('from the stream that is offered', async () => {
    await using connection = await open();
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index}\n`);
    const infile = Readable.from([lines.join(''), '', '20000\n', Buffer.from('20001\n')]);
    expect(await connection.execute(load, { infile })).toMatchObject({ affectedRows: 20_002 });
    expect(await rows()).toEqual([20_002, String((20_001 * 20_002) / 2)]);
    await admin.execute('TRUNCATE TABLE loaded');
    expect(await connection.execute(load, { infile: Readable.from([]) })).toMatchObject({ affectedRows: 0 });
  });

  test('not without one', async () => {
    await using connection = await open();
    await expect(connection.execute("LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE loaded")).rejects.toMatchObject({
      kind: 'protocol',
      message: expect.stringContaining('"/etc/passwd", which this statement did not offer'),
    });
    expect(connection.isOpen).toBe(false);
    expect(await rows()).toEqual([0, null]);
  });

  test('an offer is good for one file only', async () => {
    await using connection = await open({ multiStatements: true });
    const infile = Readable.from(['1\n']);
    await expect(connection.execute(`${load}; ${load}`, { infile })).rejects.toMatchObject({ kind: 'protocol' });
    await admin.execute('TRUNCATE TABLE loaded');
  });

  test('an offer that is not taken up', async () => {
    await using connection = await open();
    const infile = Readable.from(['1\n']);
    expect(await connection.read('SELECT 1', { infile })).toMatchObject({ rows: [[1]] });
    await expect(connection.execute(load.replace('loaded', 'nowhere'), { infile })).rejects.toMatchObject({
      code: 1146,
    });
    await connection.ping();
  });

  test('a stream that fails half-way leaves nothing behind', async () => {
    await using connection = await open();
    async function* failing() {
      for (let index = 0; index < 50_000; index++) yield `${index}\n`;
      throw new Error('the disk is gone');
    }
    const infile = Readable.from(failing());
    await expect(connection.execute(load, { infile })).rejects.toThrow(/the disk is gone/);
    await expect.poll(async () => await rows(), { timeout: 10_000 }).toEqual([0, null]);
  });
});

describe('how connections end', () => {
  const ended = (connection: Connection) =>
    new Promise<Error | undefined>((resolve) => {
      connection.onEnd = resolve;
    });

  test('KILL in the middle of a statement', async () => {
    const connection = await open();
    const end = ended(connection);
    const sleeping = connection.execute('SELECT SLEEP(60)').catch((error: unknown) => error);
    const isSleeping = async () =>
      (await admin.read(`SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP(60)'`))
        .rows[0]![0];
    await expect.poll(isSleeping, { timeout: 10_000 }).toBe(1);
    await admin.execute(`KILL ${connection.server.connectionId}`);
    expect(await sleeping).toMatchObject({ name: 'WireError', kind: 'closed' });
    expect(await end).toMatchObject({ kind: 'closed' });
    expect(connection.isOpen).toBe(false);
    await expect(connection.execute('SELECT 1')).rejects.toMatchObject({ kind: 'closed' });
    await connection.close();
  });

  test('KILL QUERY fails the statement only', async () => {
    const endless = `SELECT MAX(a.id) FROM ${['a', 'b', 'c', 'd', 'e'].map((name) => `information_schema.collations ${name}`)}`;
    await using connection = await open();
    const sleeping = connection.execute(endless).catch((error: unknown) => error);
    const isBusy = async () =>
      (await admin.read(`SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE 'SELECT MAX%'`))
        .rows[0]![0];
    await expect.poll(isBusy, { timeout: 10_000 }).toBe(1);
    await admin.execute(`KILL QUERY ${connection.server.connectionId}`);
    expect(await sleeping).toMatchObject({ name: 'ServerError', code: 1317, symbol: 'ER_QUERY_INTERRUPTED' });
    expect((await connection.read('SELECT 1')).rows).toEqual([[1]]);
  });

  test('KILL of an idle connection is noticed without a statement', async () => {
    const connection = await open();
    const end = ended(connection);
    await admin.execute(`KILL ${connection.server.connectionId}`);
    expect(await end).toMatchObject({ kind: 'closed' });
  });

  test('our own closing is no failure, and the server knows', async () => {
    const connected = async () => (await admin.read("SHOW GLOBAL STATUS LIKE 'Threads_connected'")).rows[0]![1];
    await expect.poll(connected, { timeout: 10_000 }).toBe('1'); // Those of the tests before are gone.
    const connection = await open();
    const end = ended(connection);
    const abortsOf = async () => (await admin.read("SHOW GLOBAL STATUS LIKE 'Aborted_clients'")).rows[0]![1];
    const aborts = await abortsOf();
    await connection.close();
    expect(await end).toBeUndefined();
    expect(connection.isOpen).toBe(false);
    await expect.poll(connected, { timeout: 10_000 }).toBe('1');
    expect(await abortsOf()).toBe(aborts);
    await connection.close();
  });

  test('dropping it fails the statement in flight', async () => {
    const connection = await open();
    const sleeping = connection.execute('SELECT SLEEP(1)');
    connection.destroy(new Error('enough'));
    await expect(sleeping).rejects.toThrow('enough');
  });

  test('nobody listens', async () => {
    const nowhere = { user: 'root', password: '', sslMode: 'DISABLED' } as const;
    await expect(connect({ ...nowhere, socketPath: `${server.socketPath}.none` })).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('there is no such socket'),
    });
    await expect(connect({ ...nowhere, host: '127.0.0.1', port: 1 })).rejects.toMatchObject({
      kind: 'refused',
      message: 'Cannot connect to 127.0.0.1:1: nothing listens there.',
    });
  });

  test('refused by the server', async () => {
    await expect(open({ user: 'nobody', password: 'sesame' })).rejects.toMatchObject({ code: 1045, sqlState: '28000' });
    await expect(open({ database: 'nowhere' })).rejects.toMatchObject({ code: 1049, symbol: 'ER_BAD_DB_ERROR' });
  });

  test('a server silent for longer than the read time limit', async () => {
    const connection = await open({ readTimeoutMs: 200 });
    await connection.ping();
    await expect(connection.execute('SELECT SLEEP(60)')).rejects.toMatchObject({ kind: 'timeout' });
    expect(connection.isOpen).toBe(false);
  });
});
