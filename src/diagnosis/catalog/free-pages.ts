/** Sessions wait for a free page, because pages are not written back fast enough. */
import { figure, type Rule } from '../verdict.ts';

/** Below, it is a matter of a start-up. */
const WAITS_PER_S_MIN = 0.1;

const freePages: Rule = ({ evidence }) => {
  const waits = evidence.measured('buffer_pool', 'wait_free_per_s') ?? 0;
  if (waits < WAITS_PER_S_MIN) return undefined;
  return {
    role: 'contributes',
    is: 'Sessions wait for a free page in the buffer pool.',
    evidence: [`${figure(waits)} times a second no page was free`],
    confirmBy: 'With a higher innodb_io_capacity_max, or a larger pool, the waits go.',
    advice: 'Raise innodb_io_capacity_max to what the disk can write, or innodb_buffer_pool_size.',
  };
};

export default freePages;
