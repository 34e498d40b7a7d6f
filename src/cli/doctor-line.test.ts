/** `sqldyno doctor` as people type it. */
import { expect, test } from 'vitest';
import { loadWorkload, workloadNames } from '../workload/find.ts';
import { readDoctorLine } from './doctor-line.ts';
import { ProblemsError } from './problems.ts';
import type { LineWorld } from './workload-line.ts';

const WORLD: LineWorld = {
  workloadNames: workloadNames(),
  loadWorkload,
  readText: () => {
    throw new Error('no file is named here');
  },
};

function read(line: string) {
  return readDoctorLine(line.split(' '), WORLD);
}

test('alone: this machine, for as long as it takes', async () => {
  const { load, options, given } = await read('doctor');
  expect(load).toBeUndefined();
  expect(options).toMatchObject({ seconds: 10, fix: false, dry_run: false, accept: [], disk_type: 'unknown' });
  expect([...given]).toEqual([]);
});

test('a workload with its options, those of the load and those of the target, in any order', async () => {
  const { load, options, target } = await read(
    'doctor --fix --mysql-host=db1 oltp_read_write --threads 1024 --host-ssh dba@db1 --tables=8 --seconds 2 --point_selects=0',
  );
  expect(load).toMatchObject({ command: 'run', found: { name: 'oltp_read_write' } });
  expect(load?.load.threads).toBe(1_024);
  expect(load?.workload).toMatchObject({ tables: 8, point_selects: 0 });
  expect(options).toMatchObject({ fix: true, host_ssh: 'dba@db1', seconds: 2 });
  expect(target.mysql_host).toEqual(['db1']);
});

test('the word run may stand there, as in the line that is meant', async () => {
  expect((await read('doctor oltp_read_only --threads=2 run')).load).toMatchObject({ command: 'run' });
});

test('a URL is a target, and no workload', async () => {
  const { load, target } = await read('doctor mysql://ben@db1/shop');
  expect(load).toBeUndefined();
  expect(target.url).toBe('mysql://ben@db1/shop');
});

test('help, however it is asked for', async () => {
  for (const line of ['doctor help', 'doctor --help', 'doctor oltp_read_write --help']) {
    expect((await read(line)).wantsHelp).toBe(true);
  }
});

test.each([
  { line: 'doctor --threads=8', says: '--threads is an option of a load, and no workload is named.' },
  { line: 'doctor --secnds=8', says: 'Unknown option --secnds.' },
  { line: 'doctor --accept=filesystem,nosuch', says: "--accept: there is no check 'nosuch'." },
  { line: 'doctor oltp_read_write --accept=filesytem', says: /no check 'filesytem'/ },
  { line: 'doctor --host-ssh=db1 --host-metrics=http://db1:9100', says: /two ways to one host/ },
  { line: 'doctor --seconds=0', says: /--seconds must be a number from 0\.1/ },
  { line: 'doctor oltp_read_write cleanup', says: /examines before a run/ },
  { line: 'doctor oltp_read_write --disk-type=ssd', says: /--disk-type must be one of unknown, gp2/ },
  { line: 'doctor oltp_raed_write', says: /oltp_raed_write/ },
])('$line is refused', async ({ line, says }) => {
  const refused = read(line).catch((error: Error) => error);
  const error = await refused;
  expect(error).toBeInstanceOf(Error);
  const text =
    error instanceof ProblemsError ? error.problems.map(({ is }) => is).join('\n') : (error as Error).message;
  expect(text).toMatch(says);
});
