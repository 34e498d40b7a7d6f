/** What a new workload starts from: its name takes the place of hot-row, and this line that of a purpose. */
import { integer } from '../../src/base/options.ts';
import { defineWorkload } from '../../src/workload/workload.ts';

/** Rows in one INSERT: enough that the way to the server costs little, and far below max_allowed_packet. */
const ROWS_PER_INSERT = 1_000;

/** By the names under which the report shows them. */
const STATEMENTS = {
  read: 'SELECT hits FROM hot_row WHERE id = ?',
  hit: 'UPDATE hot_row SET hits = hits + 1 WHERE id = ?',
};

export default defineWorkload({
  summary: 'One row is read, and another one updated, by primary key.',
  /** On the command line, in the help and in the record. Also: number, flag, text, choice, list. */
  options: { rows: integer({ default: 10_000, min: 1, help: 'rows in the table' }) },

  /** Looked at before every run: what is missing stops it, with a remedy. */
  needs: ({ rows }) => ({
    statementsPerSession: 2,
    writes: true,
    tables: [{ name: 'hot_row', columns: { id: 'int', hits: 'int' }, rowsMin: rows }],
    probes: Object.values(STATEMENTS),
  }),

  /** Told before every run. */
  mix: () => [
    { name: 'read', kind: 'read', perTransaction: 1 },
    { name: 'hit', kind: 'write', perTransaction: 1 },
  ],

  async prepare({ connect, options, progress, signal }) {
    const connection = await connect();
    try {
      await connection.execute('CREATE TABLE hot_row (id INT NOT NULL PRIMARY KEY, hits INT NOT NULL)');
      for (let first = 1; first <= options.rows && !signal.aborted; first += ROWS_PER_INSERT) {
        const last = Math.min(first + ROWS_PER_INSERT - 1, options.rows);
        const rows = Array.from({ length: last - first + 1 }, (_, index) => `(${first + index},0)`);
        await connection.execute(`INSERT INTO hot_row (id, hits) VALUES ${rows.join(',')}`);
        progress.advance('rows', last, options.rows);
      }
    } finally {
      await connection.close();
    }
  },

  async cleanup({ connect }) {
    const connection = await connect();
    try {
      await connection.execute('DROP TABLE IF EXISTS hot_row');
    } finally {
      await connection.close();
    }
  },

  /** Once per connection. Of several transactions each would be drawn by its weight, and timed under its name. */
  async session({ connection, options, random, keys }) {
    const read = await connection.statement('read', 'read', STATEMENTS.read);
    const hit = await connection.statement('hit', 'write', STATEMENTS.hit);
    const run = async () => {
      await read.run([keys.draw(random, 1, options.rows)]);
      await hit.run([keys.draw(random, 1, options.rows)]);
    };
    return { read_and_hit: { weight: 1, run } };
  },
});
