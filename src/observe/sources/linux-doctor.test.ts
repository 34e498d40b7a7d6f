/** What a Linux host tells that is looked at before a run, and not during one. */
import { describe, expect, test } from 'vitest';
import { fakeHost } from '../../../test/support/host-files.ts';
import { LinuxHost } from './linux.ts';

const CPU0 = '/sys/devices/system/cpu/cpu0/cpuidle';
const DISK = '/sys/devices/platform/mmc0/block/mmcblk0';

async function hostOf(texts: Record<string, string>, links: Record<string, string> = {}) {
  const files = fakeHost(texts, links);
  return { files, host: await LinuxHost.open(files, { clientPids: [], dataDirectory: '/data' }) };
}

describe('how deep an idle processor sleeps', () => {
  const STATES = {
    [`${CPU0}/state0/latency`]: '0\n',
    [`${CPU0}/state1/latency`]: '2\n',
    [`${CPU0}/state2/latency`]: '133\n',
  };

  test.each([
    { disabled: [0, 0, 0], us: 133, why: 'every state is allowed' },
    { disabled: [0, 0, 1], us: 2, why: 'the deepest is forbidden' },
  ])('$why', async ({ disabled, us }) => {
    const allowed = Object.fromEntries(disabled.map((value, state) => [`${CPU0}/state${state}/disable`, `${value}\n`]));
    const { host } = await hostOf({ ...STATES, ...allowed });
    expect(await host.facts()).toMatchObject({ 'cpu.idleWakeupUs': us });
  });

  test('no states, no fact', async () => {
    const { host } = await hostOf({});
    expect(await host.facts()).not.toHaveProperty(['cpu.idleWakeupUs']);
  });
});

test('what systemd starts by the clock', async () => {
  const folder = '/etc/systemd/system/timers.target.wants';
  const { host } = await hostOf({ [`${folder}/fstrim.timer`]: '1', [`${folder}/apt-daily.timer`]: '1' });
  expect(await host.facts()).toMatchObject({ 'system.timers': 'apt-daily, fstrim' });
});

test('how much of its life a card has behind it', async () => {
  const texts = {
    '/proc/self/mountinfo': '27 1 179:0 / / rw - ext4 /dev/mmcblk0 rw\n',
    '/sys/block/mmcblk0/device/life_time': '0x01 0x07\n',
    '/sys/block/mmcblk0/size': '1000\n',
  };
  const { host } = await hostOf(texts, { '/sys/dev/block/179:0': DISK });
  expect(await host.facts()).toMatchObject({ 'disk.lifeUsedPercent': 70 });
});

test('a whole look has all processes in it, though the last one was a moment ago', async () => {
  const { files, host } = await hostOf({
    '/proc/77/stat': '77 (mariadbd) S 1 1 1 0 -1 0 0 0 0 0 500 0 0 0 20 0 1 0 5 1 1\n',
  });
  await host.sample();
  files.texts.set('/proc/88/stat', '88 (backup) S 1 1 1 0 -1 0 0 0 0 0 900 0 0 0 20 0 1 0 5 1 1\n');
  const namesOf = async (isWhole: boolean) => ((await host.sample({ isWhole })).others ?? []).map(({ name }) => name);
  expect(await namesOf(false)).not.toContain('backup');
  expect(await namesOf(true)).toContain('backup');
});
