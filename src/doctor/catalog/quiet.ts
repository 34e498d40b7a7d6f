/** Whether the hosts are at rest: what is stolen from them, and what else they do. And by which clock. */
import { formatFixed, formatPercent } from '../../base/units.ts';
import { block, defineChecks, info, type Opinion, ok, textOf, unseen, warning } from '../check.ts';
import type { HostLook, IdleLook } from '../collected.ts';

const STEAL_MAX = 0.03;
const STEAL_NOTED = 0.01;
const BUSY_WARNED = 0.05;
const BUSY_MAX = 0.2;
/** Reading one of these takes a call into the kernel or onto a bus, a microsecond each time. */
const SLOW_CLOCKS = /^(?:hpet|acpi_pm|pit|jiffies|refined-jiffies|xen|pmtmr)$/;
/** Times of two hosts that are laid beside each other, second by second. */
const CLOCK_AHEAD_MS_MAX = 500;
/** They work in bursts, and may do so at any time. Names as the kernel cuts them. */
const UPDATES = /^(?:apt|apt-get|aptitude|dpkg|unattended-upgr|dnf|yum|zypper|updatedb|updatedb\.ploca|mandb|fstrim)$/;
const BACKUPS = /(?:backup|xtrabackup|mysqldump|mariadb-dump|mydumper)|^(?:borg|restic|rsync|duplicity|bacula-fd|tar)$/;
const UPDATE_TIMERS = /^(?:apt-daily|apt-daily-upgrade|dnf-.*|packagekit.*|[pm]locate-.*|man-db|fstrim|.*backup.*)$/;

export default defineChecks([
  {
    number: 15,
    id: 'clock',
    title: 'clocks',
    of: 'server host',
    examine: (host, { collected }) => {
      const source = textOf(host, 'clock.source');
      if (source !== undefined && SLOW_CLOCKS.test(source)) {
        const hasTsc = (textOf(host, 'clock.available') ?? '').split(/\s+/).includes('tsc');
        const shell = ['echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource'];
        return warning(`The host's clock is ${source}, which is slow to read.`, {
          because: 'A server reads the time several times in every statement.',
          remedy: hasTsc
            ? { is: 'Take the clock of the processors, until the next start:', shell }
            : { is: 'Look into the boot log for why the kernel does not trust the clock of the processors (dmesg).' },
        });
      }
      const { server } = collected;
      const clock = server.is === 'seen' ? server.value.clock : server;
      if (clock.is === 'seen' && collected.isOneHost !== true) {
        const { aheadMs, uncertaintyMs } = clock.value;
        if (Math.abs(aheadMs) - uncertaintyMs > CLOCK_AHEAD_MS_MAX) {
          const seconds = `${formatFixed(Math.abs(aheadMs) / 1000, 1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
          return warning(`The server's clock is ${seconds} this machine's.`, {
            because: 'What happened on both sides cannot be laid side by side.',
            remedy: { is: 'Let both take the time from one source:', shell: ['sudo timedatectl set-ntp true'] },
          });
        }
      }
      if (source === undefined) return unseen('The host does not tell which clock it reads.');
      const together =
        clock.is === 'seen' && collected.isOneHost !== true ? ', and goes with that of this machine' : '';
      return ok(`The clock is ${source}${together}.`);
    },
  },
  {
    number: 16,
    id: 'stolen-time',
    title: 'time taken by others on the hypervisor',
    of: 'each host',
    examine: (host) => {
      if (host.idle.is === 'unseen') return unseen(host.idle.because);
      const { figures, elapsedS } = host.idle.value;
      const steal = figures.get('cpu.steal');
      const throttled = figures.get('cgroup.throttled_ratio') ?? 0;
      if (throttled > 0) {
        return block(`The control group ran out of processor time in ${formatPercent(throttled)} of its periods.`, {
          because: `So it did in ${formatFixed(elapsedS, 1)} s without any load of ours.`,
          remedy: { is: 'Raise its limit (cpu.max, docker --cpus), or take it away.' },
        });
      }
      if (steal === undefined) return unseen('The host does not tell the times of its processors.');
      const measured = `${formatPercent(steal)} of the processor time was taken by other virtual machines (steal), in ${formatFixed(elapsedS, 1)} s without load.`;
      if (steal >= STEAL_MAX) {
        return block(measured, {
          because: 'It will be more under load, and differ from run to run.',
          remedy: { is: 'Move to a host with processors of its own, or come back when the neighbours are quiet.' },
        });
      }
      if (steal >= STEAL_NOTED)
        return info(measured, { because: 'Compare in pairs, so that both meet the same neighbours.' });
      return ok(`Other virtual machines take hardly any processor time from this one (steal ${formatPercent(steal)}).`);
    },
  },
  {
    number: 17,
    id: 'background-load',
    title: 'what else is running',
    of: 'each host',
    examine: (host) =>
      host.idle.is === 'unseen' ? unseen(host.idle.because) : examineBackground(host, host.idle.value),
  },
]);

function examineBackground(host: HostLook, idle: IdleLook): Opinion {
  const all = idle.figures.get('cpu.busy');
  if (all === undefined) return unseen('The host does not tell the times of its processors.');
  const busy = Math.max(0, all - idle.ownCpuRatio);
  const measured = `The processors are ${formatPercent(busy)} busy without any load of ours.`;
  const because = becauseOf(idle);
  const remedy = remedyOf(idle);
  if (busy > BUSY_MAX) return block(measured, { because, remedy });
  const others = strangersOf(idle);
  if (busy > BUSY_WARNED) return warning(measured, { because, remedy });
  if (others.length > 0) {
    const is = `Others are at work here: ${others.join('; ')}.`;
    return warning(is, { because: 'They may wake up in the middle of a run.', remedy });
  }
  const timers = (textOf(host, 'system.timers') ?? '').split(', ').filter((name) => UPDATE_TIMERS.test(name));
  if (timers.length > 0) {
    return info(`The host may begin by itself, at any time: ${timers.join(', ')}.`, {
      because: 'An update or a backup in the middle of a run is easily taken for something else.',
      remedy: {
        is: 'Stop these timers, and start them again afterwards:',
        shell: [`sudo systemctl stop ${timers.map((name) => `${name}.timer`).join(' ')}`],
      },
    });
  }
  return ok(`The host is at rest: its processors are ${formatPercent(busy)} busy.`);
}

/** Whoever is known by name, whatever they use now. */
function strangersOf({ processes, desktop, otherServers }: IdleLook): string[] {
  const matching = (pattern: RegExp) => [...new Set(processes.filter((name) => pattern.test(name)))];
  const [updates, backups] = [matching(UPDATES), matching(BACKUPS)];
  return [
    ...(desktop.length > 0 ? [`a desktop session (${desktop.join(', ')})`] : []),
    ...(otherServers.length > 0 ? [`${serversText(otherServers.length)} (${otherServers.join(', ')})`] : []),
    ...(updates.length > 0 ? [`updates (${updates.join(', ')})`] : []),
    ...(backups.length > 0 ? [`backups or copies (${backups.join(', ')})`] : []),
  ];
}

function serversText(count: number): string {
  return count === 1 ? 'another database server' : `${count} other database servers`;
}

/** Of what is seen to run; below, the rest was too short-lived to be seen. */
const NAMED_SHARE_MIN = 0.5;
const CORES_SHOWN_MIN = 0.01;

function becauseOf(idle: IdleLook): string {
  const top = [...idle.figures]
    .flatMap(([name, cores]) => {
      const process = /^other_processes\.top\.(.+)\.cores$/.exec(name)?.[1];
      return process === undefined ? [] : [{ process, cores }];
    })
    .sort((one, other) => other.cores - one.cores);
  const server = { process: 'the server itself', cores: idle.figures.get('server_process.cpu_cores') ?? 0 };
  const users = [server, ...top].filter(({ cores }) => cores >= CORES_SHOWN_MIN);
  const named = users.reduce((sum, { cores }) => sum + cores, 0);
  const all = ((idle.figures.get('cpu.busy') ?? 0) - idle.ownCpuRatio) * idle.cores;
  const list = users.map(({ process, cores }) => `${process} ${formatFixed(cores, 2)}`).join(', ');
  const rest = named < NAMED_SHARE_MIN * all ? ', and more by programs too short-lived to be seen' : '';
  const who = users.length === 0 ? 'By whom cannot be told' : `Processors used: ${list}${rest}`;
  const known = strangersOf(idle);
  return `${who}, in ${formatFixed(idle.elapsedS, 1)} s.${known.length === 0 ? '' : ` At work: ${known.join('; ')}.`}`;
}

function remedyOf({ desktop }: IdleLook) {
  return {
    is: 'Stop what is not needed, and let the server finish what it has begun.',
    ...(desktop.length > 0 ? { shell: ['sudo systemctl isolate multi-user.target'] } : {}),
  };
}
