/** Whether the processors run as fast as they could: frequency, temperature, throttling, a Raspberry Pi's power. */
import { HOST_NOT_READ, hostsOf, increase, present } from '../host-change.ts';
import { defineProbe } from '../probe.ts';
import { quotient } from '../status-change.ts';

/** Bits of `vcgencmd get_throttled`: now, and sixteen places higher the same since boot. */
const PI_BITS = {
  pi_under_voltage: 0,
  pi_frequency_capped: 1,
  pi_throttled: 2,
  pi_soft_temperature_limit: 3,
} as const;
const SINCE_BOOT = 16;

export default defineProbe({
  summary: "The processors' frequency against what they can, temperature, throttling, a Raspberry Pi's power supply.",
  source: 'host',
  between(earlier, later, elapsedS) {
    const hosts = hostsOf(earlier, later);
    if (hosts === undefined) return HOST_NOT_READ;
    const { before, after } = hosts;
    const { frequencyMhz, piThrottled } = after;
    const bit = (place: number) => ({
      value: piThrottled === undefined ? undefined : Math.floor(piThrottled / 2 ** place) % 2,
      unit: 'flag',
    });
    const ofPi = Object.entries(PI_BITS).flatMap(([name, place]) => [
      [name, bit(place)],
      [`${name}_since_boot`, bit(place + SINCE_BOOT)],
    ]);
    const throttles = increase(before.thermalThrottles, after.thermalThrottles);
    const readings = present({
      frequency_mhz: { value: frequencyMhz, unit: 'MHz' },
      frequency_ratio: { value: quotient(frequencyMhz, after.frequencyMaxMhz), unit: 'ratio' },
      nominal_ratio: { value: quotient(frequencyMhz, after.frequencyNominalMhz), unit: 'ratio' },
      temperature_c: { value: after.temperatureC, unit: '°C' },
      thermal_throttles_per_s: { value: quotient(throttles, elapsedS), unit: '1/s' },
      ...Object.fromEntries(ofPi),
    });
    if (Object.keys(readings).length > 0) return readings;
    return 'The host tells neither frequency nor temperature of its processors, as is usual for virtual machines.';
  },
});
