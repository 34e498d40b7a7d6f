/** The host has too little memory. */
import { figure, percent, type Rule } from '../verdict.ts';

const PRESSURE_MIN = 0.01;
const MAJOR_FAULTS_PER_S_MIN = 10;
const SWAPPED_PAGES_PER_S_MIN = 1;

const memory: Rule = ({ evidence }) => {
  const swapped =
    (evidence.measured('memory_swap', 'swap_in_pages_per_s') ?? 0) +
    (evidence.measured('memory_swap', 'swap_out_pages_per_s') ?? 0);
  const pressure = evidence.measured('pressure', 'memory_some') ?? 0;
  const faults = evidence.measured('server_process', 'major_faults_per_s') ?? 0;
  if (swapped < SWAPPED_PAGES_PER_S_MIN && pressure < PRESSURE_MIN && faults < MAJOR_FAULTS_PER_S_MIN) return undefined;
  return {
    role: 'alarm',
    is: 'The host is short of memory.',
    evidence: [
      ...(swapped > 0 ? [`${figure(swapped)} pages a second went to or came from swap`] : []),
      ...(pressure > 0 ? [`tasks waited for memory ${percent(pressure)} of the time`] : []),
      ...(faults > 0 ? [`the server had ${figure(faults)} major page faults a second`] : []),
    ],
    confirmBy: 'With a smaller buffer pool, or more memory, swapping stops.',
    advice: 'Make innodb_buffer_pool_size smaller than what the host has to spare.',
  };
};

export default memory;
