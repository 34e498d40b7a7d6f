/** How fast the processors may run: governor, turbo, threads that share a core, and how deep they sleep. */
import { block, defineChecks, flagOf, info, numberOf, ok, textOf, unseen, warning } from '../check.ts';

const GOVERNORS = '/sys/devices/system/cpu/cpufreq/policy*/scaling_governor';
const STATES = '/sys/devices/system/cpu/cpu*/cpuidle/state*';
/** From the states above it a processor is back before a packet from the same rack is. */
const WAKEUP_US_MAX = 50;
const HOT_C = 80;

export default defineChecks([
  {
    number: 1,
    id: 'governor',
    title: 'frequency governor',
    of: 'each host',
    examine: (host) => {
      const governor = textOf(host, 'cpu.governor');
      if (governor === undefined) {
        return unseen('The host tells no governor, as is usual for virtual machines: whoever runs it decides.');
      }
      if (governor === 'performance') return ok('The governor is performance.');
      return warning(`The governor is ${governor}: processors slow down when they have little to do.`, {
        because: 'Speed then depends on the load, and light loads look slower than they are.',
        remedy: { is: 'Until the next start:', shell: [`echo performance | sudo tee ${GOVERNORS}`] },
      });
    },
  },
  {
    number: 2,
    id: 'turbo-and-smt',
    title: 'turbo and hyper-threads',
    of: 'each host',
    examine: (host) => {
      const turbo = flagOf(host, 'cpu.turbo');
      const smt = flagOf(host, 'cpu.smt');
      if (turbo === undefined && smt === undefined) {
        return unseen('The host tells neither of turbo nor of threads that share a core.');
      }
      const on = [...(turbo === true ? ['turbo'] : []), ...(smt === true ? ['hyper-threads (SMT)'] : [])];
      if (on.length === 0) return ok('Neither turbo nor hyper-threads are on.');
      const isIntel = textOf(host, 'cpu.frequencyDriver') === 'intel_pstate';
      const withoutTurbo = isIntel
        ? 'echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo'
        : 'echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost';
      return info(`On: ${on.join(', ')}. They must be the same in all runs that are compared.`, {
        because: 'Turbo depends on temperature and on how many cores work; threads of one core slow each other down.',
        remedy: {
          is: 'For the steadiest figures, and lower ones, switch them off until the next start:',
          shell: [
            ...(turbo === true ? [withoutTurbo] : []),
            ...(smt === true ? ['echo off | sudo tee /sys/devices/system/cpu/smt/control'] : []),
          ],
        },
      });
    },
  },
  {
    number: 3,
    id: 'idle-states',
    title: 'deep idle states',
    of: 'each host',
    examine: (host) => {
      const wakeupUs = numberOf(host, 'cpu.idleWakeupUs');
      if (wakeupUs === undefined) {
        return unseen('The host does not tell how deep its processors sleep, as is usual for virtual machines.');
      }
      if (wakeupUs <= WAKEUP_US_MAX) return ok(`An idle processor is awake again within ${wakeupUs} us.`);
      return info(`An idle processor may take ${wakeupUs} us to wake up.`, {
        because: 'With few connections that comes on top of the latency of every statement.',
        remedy: {
          is: `Forbid states that take longer than ${WAKEUP_US_MAX} us, until the next start:`,
          shell: [
            `for s in ${STATES}; do [ $(cat $s/latency) -le ${WAKEUP_US_MAX} ] || echo 1 | sudo tee $s/disable; done`,
          ],
        },
      });
    },
  },
  {
    number: 18,
    id: 'throttling',
    title: 'temperature, throttling, power',
    of: 'each host',
    examine: (host) => {
      if (host.idle.is === 'unseen') return unseen(host.idle.because);
      const { figures } = host.idle.value;
      const now = piSigns(figures, '');
      const throttles = figures.get('clock_speed.thermal_throttles_per_s') ?? 0;
      const temperature = figures.get('clock_speed.temperature_c');
      if (now.length > 0 || throttles > 0) {
        return block(
          `The processors are slowed down now: ${[...now, ...(throttles > 0 ? ['heat'] : [])].join(', ')}.`,
          {
            because: 'A run would measure the cooling or the power supply.',
            remedy: {
              is: 'Let it cool down, give it a heat sink or a fan, and a Raspberry Pi the power supply that is made for it.',
            },
          },
        );
      }
      const before = piSigns(figures, '_since_boot');
      if (before.length > 0) {
        return warning(`The processors were slowed down since the last start: ${before.join(', ')}.`, {
          because: 'Under load it will happen again.',
          remedy: { is: 'Look at power supply and cooling, then start the host again: that clears the signs.' },
        });
      }
      if (temperature !== undefined && temperature >= HOT_C) {
        return warning(`It is ${Math.round(temperature)} °C hot, without any load of ours.`, {
          because: 'Most processors slow down a few degrees above.',
          remedy: { is: 'Let it cool down, and look at the fans.' },
        });
      }
      const hasSigns = figures.has('clock_speed.pi_throttled') || figures.has('clock_speed.thermal_throttles_per_s');
      if (temperature === undefined && !hasSigns) {
        return unseen('The host tells neither temperatures nor throttling, as is usual for virtual machines.');
      }
      const warm = temperature === undefined ? '' : ` It is ${Math.round(temperature)} °C warm.`;
      return ok(`Nothing slows the processors down.${warm}`);
    },
  },
]);

const PI_SIGNS = {
  pi_under_voltage: 'under-voltage',
  pi_frequency_capped: 'capped frequency',
  pi_throttled: 'throttled',
  pi_soft_temperature_limit: 'soft temperature limit',
};

function piSigns(figures: ReadonlyMap<string, number>, when: '' | '_since_boot'): string[] {
  return Object.entries(PI_SIGNS)
    .filter(([name]) => figures.get(`clock_speed.${name}${when}`) === 1)
    .map(([, sign]) => sign);
}
