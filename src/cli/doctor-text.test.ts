/** What the doctor found, as people read it. */
import { expect, test } from 'vitest';
import { caseOf } from '../../test/support/doctor.ts';
import { unseenBecause } from '../doctor/collected.ts';
import { fixesOf, preflightChecks } from '../doctor/examine.ts';
import { doctorLines, fixLines } from './doctor-text.ts';

async function results() {
  const { collected, plan } = caseOf({
    serverHost: { facts: { 'cpu.governor': 'powersave', 'datadir.filesystem': 'tmpfs' } },
    clientHost: { facts: { 'cpu.turbo': true } },
  });
  return preflightChecks({ ...collected, server: unseenBecause('The server keeps silent.') }, plan);
}

test('the worst comes first, commands stay whole, and one reason stands for all that it hides', async () => {
  const lines = doctorLines(await results(), 1.24);
  expect(lines.filter((line) => /^\S/.test(line))).toEqual([
    'Blocks: what is measured now would not be valid (1)',
    'Warnings: what is measured now would be worth less (1)',
    'Good to know (1)',
    expect.stringMatching(/^Not seen \(\d+\)$/),
    expect.stringMatching(/^In order \(\d+\)$/),
    expect.stringMatching(/^1 block, 1 warning, 1 to know, 16 not seen, 25 in order: 44 looks in 1\.2 s\.$/),
  ]);
  expect(lines).toContain('   8  file system of the data (ssh dba@db1) [filesystem]');
  expect(lines).toContain(
    '          echo performance | sudo tee /sys/devices/system/cpu/cpufreq/policy*/scaling_governor',
  );
  expect(lines.filter((line) => line.includes('The server keeps silent.'))).toHaveLength(1);
  // Only a command, which is copied whole, may be longer than a line.
  expect(lines.filter((line) => line.length > 80 && !/^ {10}\S/.test(line))).toEqual([]);
});

test('of two hosts each is named, and of one none', async () => {
  const { collected, plan } = caseOf({
    serverHost: { facts: { 'cpu.governor': undefined } },
    clientHost: { facts: { 'cpu.governor': undefined } },
  });
  const wide = (lines: readonly string[]) => lines.join(' ').replaceAll(/\s+/g, ' ');
  const two = wide(doctorLines(await preflightChecks(collected, plan), 1));
  expect(two).toContain('1 frequency governor (ssh dba@db1), 1 frequency governor (this machine)');
  expect(two).toContain('Neither turbo nor hyper-threads are on. (this machine)');
  const hidden = { ...collected, serverHost: unseenBecause('No.'), clientHost: unseenBecause('No.') };
  expect(wide(doctorLines(await preflightChecks(hidden, plan), 1))).toContain(
    '1 frequency governor (the server host), 1 frequency governor (the client host)',
  );
  const one = wide(doctorLines(await preflightChecks({ ...collected, clientHost: collected.serverHost }, plan), 1));
  expect(one).not.toMatch(/frequency governor \(|are on\. \(/);
});

test('commands by host, and that nobody has carried them out', async () => {
  expect(fixLines(fixesOf(await results()))).toEqual([
    '',
    '# On ssh dba@db1, in a shell: nothing of this was carried out.',
    '# frequency governor',
    'echo performance | sudo tee /sys/devices/system/cpu/cpufreq/policy*/scaling_governor',
    '',
    '# On this machine, in a shell: nothing of this was carried out.',
    '# turbo and hyper-threads',
    'echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost',
  ]);
  expect(fixLines([])).toEqual(['', 'There is nothing that a command would remedy.']);
});
