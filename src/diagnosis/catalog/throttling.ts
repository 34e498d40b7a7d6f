/** The processor runs slower than it should: too hot, or too little power. */
import { figure, percent, type Rule } from '../verdict.ts';

const FREQUENCY_MIN = 0.9;
const BUSY_MIN = 0.8;
const PI_FLAGS = ['pi_under_voltage', 'pi_frequency_capped', 'pi_throttled', 'pi_soft_temperature_limit'];

const throttling: Rule = ({ evidence }) => {
  const ratio =
    evidence.measured('clock_speed', 'nominal_ratio') ?? evidence.measured('clock_speed', 'frequency_ratio');
  const busy = evidence.measured('cpu', 'busy') ?? 0;
  const events = evidence.measured('clock_speed', 'thermal_throttles_per_s') ?? 0;
  const pi = PI_FLAGS.filter((flag) => (evidence.peak('clock_speed', flag) ?? 0) > 0);
  const isSlow = ratio !== undefined && ratio < FREQUENCY_MIN && busy > BUSY_MIN;
  if (!isSlow && events === 0 && pi.length === 0) return undefined;
  const temperature = evidence.peak('clock_speed', 'temperature_c');
  return {
    role: 'alarm',
    is: 'The processors were slowed down.',
    evidence: [
      ...(isSlow ? [`they ran at ${percent(ratio)} of their speed while ${percent(busy)} busy`] : []),
      ...(events > 0 ? [`the hardware throttled them ${figure(events)} times a second`] : []),
      ...pi.map((flag) => `the Raspberry Pi reports: ${flag.slice('pi_'.length).replaceAll('_', ' ')}`),
      ...(temperature === undefined ? [] : [`the hottest zone had ${figure(temperature)} degrees Celsius`]),
    ],
    confirmBy: 'After cooling down, or with a better power supply, the same run is faster.',
    advice: 'Check cooling and power supply; let the machine cool down between runs.',
  };
};

export default throttling;
