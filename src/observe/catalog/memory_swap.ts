/** How much memory is left, and whether the host swaps. */
import { HOST_NOT_READ, hostsOf, increase, present } from '../host-change.ts';
import { defineProbe } from '../probe.ts';
import { quotient } from '../status-change.ts';

export default defineProbe({
  summary: 'Memory available and dirty, swap in use, pages swapped in and out.',
  source: 'host',
  between(earlier, later, elapsedS) {
    const hosts = hostsOf(earlier, later);
    if (hosts === undefined) return HOST_NOT_READ;
    const { before, after } = hosts;
    const { memory } = after;
    if (memory === undefined) return 'The host does not tell how its memory is used.';
    const perS = (from: number | undefined, to: number | undefined) => quotient(increase(from, to), elapsedS);
    return present({
      total_bytes: { value: memory.totalBytes, unit: 'bytes' },
      available_bytes: { value: memory.availableBytes, unit: 'bytes' },
      available_ratio: { value: quotient(memory.availableBytes, memory.totalBytes), unit: 'ratio' },
      dirty_bytes: { value: memory.dirtyBytes, unit: 'bytes' },
      swap_used_bytes: { value: memory.swapTotalBytes - memory.swapFreeBytes, unit: 'bytes' },
      swap_in_pages_per_s: { value: perS(before.swappedInPages, after.swappedInPages), unit: '1/s' },
      swap_out_pages_per_s: { value: perS(before.swappedOutPages, after.swappedOutPages), unit: '1/s' },
    });
  },
});
