/**
 * A workload of one's own in TypeScript: clients put jobs into a table, and take the oldest ones out. Both kinds of
 * transaction have a weight, are timed apart, and count what they did.
 *
 *   sqldyno ./examples/job-queue.ts --jobs=500 prepare
 *   sqldyno ./examples/job-queue.ts --put-weight=2 --threads=8 --time=10 run
 */
import { defineWorkload, integer, text } from 'sqldyno';

const SQL = {
  put: 'INSERT INTO job_queue (payload) VALUES (?)',
  oldest: 'SELECT id FROM job_queue ORDER BY id LIMIT 1 FOR UPDATE',
  take: 'DELETE FROM job_queue WHERE id = ?',
};

export default defineWorkload({
  summary: 'Jobs are put into a table and taken out of it, oldest first: every taker wants the same row.',

  options: {
    jobs: integer({ default: 1_000, min: 0, help: 'how many jobs are waiting at the start' }),
    put_weight: integer({ default: 1, min: 0, help: 'how many jobs are put in for each that is taken out' }),
    payload: text({ default: 'resize image', help: 'what stands in a job' }),
  },

  needs: () => ({
    statementsPerSession: 5,
    writes: true,
    tables: [{ name: 'job_queue', columns: { id: 'bigint', payload: 'varchar(200)' }, rowsMin: 0 }],
    probes: Object.values(SQL),
  }),

  async prepare({ connect, options, progress }) {
    const connection = await connect();
    try {
      await connection.execute(
        'CREATE TABLE job_queue (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, payload VARCHAR(200) NOT NULL)',
      );
      const put = await connection.prepare(SQL.put);
      for (let job = 1; job <= options.jobs; job++) {
        await put.execute([options.payload]);
        progress.advance('jobs', job, options.jobs);
      }
    } finally {
      await connection.close();
    }
  },

  async cleanup({ connect }) {
    const connection = await connect();
    try {
      await connection.execute('DROP TABLE IF EXISTS job_queue');
    } finally {
      await connection.close();
    }
  },

  async session({ connection, options, random, tally }) {
    const begin = await connection.statement('begin', 'other', 'BEGIN');
    const commit = await connection.statement('commit', 'other', 'COMMIT');
    const put = await connection.statement('put', 'write', SQL.put);
    const oldest = await connection.statement('oldest', 'read', SQL.oldest);
    const take = await connection.statement('take', 'write', SQL.take);
    const foundNone = tally('found no job');

    return {
      put: {
        weight: options.put_weight,
        async run() {
          await put.run([`${options.payload} ${random.integer(1, 1_000_000)}`]);
        },
      },
      take: {
        weight: 1,
        transactional: true,
        async run() {
          await begin.run();
          const [job] = await oldest.rows();
          if (job?.[0] === undefined) foundNone.add();
          else await take.run([job[0]]);
          await commit.run();
        },
      },
    };
  },
});
