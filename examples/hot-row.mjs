/**
 * A workload of one's own: many threads add to a few counters, so that they wait for each other's row locks.
 *
 *   sqldyno ./examples/hot-row.mjs --rows=2 prepare
 *   sqldyno ./examples/hot-row.mjs --rows=2 --threads=8 run
 *
 * The file needs no import: its default export is a plain object. Its options are on the command line, and in its help.
 */

/** @type {import('sqldyno').Workload} */
export default {
  summary: 'Every transaction adds one to a counter, and there are few counters.',

  options: {
    rows: { kind: 'integer', default: 1, min: 1, help: 'how many counters there are' },
  },

  /** Looked at before every run: what is missing stops it, with a remedy. */
  needs: ({ rows }) => ({
    statementsPerSession: 1,
    writes: true,
    tables: [{ name: 'counters', columns: { id: 'int', value: 'bigint' }, rowsMin: Number(rows) }],
  }),

  mix: () => [{ name: 'add_one', kind: 'write', perTransaction: 1 }],

  async prepare({ connect, options, progress }) {
    const rows = Number(options.rows);
    const connection = await connect();
    try {
      await connection.execute('CREATE TABLE counters (id INT PRIMARY KEY, value BIGINT NOT NULL)');
      for (let id = 1; id <= rows; id++) {
        await connection.execute(`INSERT INTO counters VALUES (${id}, 0)`);
        progress.advance('counters', id, rows);
      }
    } finally {
      await connection.close();
    }
  },

  async cleanup({ connect }) {
    const connection = await connect();
    try {
      await connection.execute('DROP TABLE IF EXISTS counters');
    } finally {
      await connection.close();
    }
  },

  /** Once per connection. What it returns is drawn from by weight; each is timed under its name. */
  async session({ connection, options, random }) {
    const addOne = await connection.statement('add_one', 'write', 'UPDATE counters SET value = value + 1 WHERE id = ?');
    const add = async () => {
      await addOne.run([random.integer(1, Number(options.rows))]);
    };
    return { add: { weight: 1, run: add } };
  },
};
