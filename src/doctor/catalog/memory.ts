/** What the kernel does with memory: huge pages, swap, writing behind, and more than one node of it. */
import { formatBytes } from '../../base/units.ts';
import { block, defineChecks, info, isOn, numberOf, ok, textOf, unseen, warning } from '../check.ts';

const VM = '/proc/sys/vm';
const THP = '/sys/kernel/mm/transparent_hugepage/enabled';
/** As kernels are shipped it is 60: the page cache of a backup then pushes the buffer pool out. */
const SWAPPINESS_MAX = 10;
/** More than this takes even a good disk seconds to write, while writers wait. */
const DIRTY_BYTES_MAX = 2 ** 30;

export default defineChecks([
  {
    number: 4,
    id: 'transparent-hugepages',
    title: 'transparent huge pages',
    of: 'server host',
    examine: (host) => {
      const setting = textOf(host, 'memory.transparentHugepages');
      if (setting === undefined) return unseen('The host does not tell its setting of transparent huge pages.');
      if (setting !== 'always') return ok(`Transparent huge pages: ${setting}.`);
      return warning('Transparent huge pages are on for every program (always).', {
        because:
          'The kernel then stops the server now and then to put pages together, and takes more memory than asked.',
        remedy: {
          is: 'Only for those who ask for them, until the next start:',
          shell: [`echo madvise | sudo tee ${THP}`],
        },
      });
    },
  },
  {
    number: 5,
    id: 'swapping',
    title: 'swap',
    of: 'each host',
    examine: (host) => {
      const swapBytes = numberOf(host, 'memory.swapTotalBytes');
      if (swapBytes === undefined) return unseen('The host does not tell how much swap it has.');
      if (swapBytes === 0) return ok('There is no swap.');
      if (host.idle.is === 'unseen') return unseen(host.idle.because);
      const { figures } = host.idle.value;
      const used = formatBytes(figures.get('memory_swap.swap_used_bytes') ?? 0);
      const outPerS = figures.get('memory_swap.swap_out_pages_per_s') ?? 0;
      if (outPerS > 0) {
        return block(
          `The host is swapping: ${outPerS.toFixed(0)} pages a second go out, and ${used} are out already.`,
          {
            because: 'What is swapped out must be read from the disk again, in the middle of a statement.',
            remedy: { is: 'Make the buffer pool smaller, or stop what takes the memory.' },
          },
        );
      }
      const swappiness = numberOf(host, 'memory.swappiness');
      if (swappiness === undefined || swappiness <= SWAPPINESS_MAX) {
        return ok(
          `${formatBytes(swapBytes)} of swap, ${used} in use, and nothing goes out (vm.swappiness ${swappiness ?? 'unknown'}).`,
        );
      }
      return warning(`vm.swappiness is ${swappiness}, with ${formatBytes(swapBytes)} of swap, ${used} in use.`, {
        because: 'The kernel would rather swap the server out than give up the page cache.',
        remedy: { is: 'Until the next start:', shell: ['sudo sysctl vm.swappiness=1'] },
      });
    },
  },
  {
    number: 6,
    id: 'dirty-limits',
    title: 'limits of writing behind',
    of: 'server host',
    examine: (host) => {
      const bytes = numberOf(host, 'memory.dirtyBytes');
      const ratio = numberOf(host, 'memory.dirtyRatio');
      const total = numberOf(host, 'memory.totalBytes');
      if (bytes === undefined && (ratio === undefined || total === undefined)) {
        return unseen('The host does not tell how much it may hold back of what is written.');
      }
      const limit = bytes ?? ((ratio ?? 0) / 100) * (total ?? 0);
      if (limit <= DIRTY_BYTES_MAX) return ok(`At most ${formatBytes(limit)} wait to be written by the kernel.`);
      return info(`The kernel holds back up to ${formatBytes(limit)} before it makes writers wait.`, {
        because:
          'That matters where files are written through the page cache: binary log, temporary files, buffered InnoDB.',
        remedy: {
          is: 'For shorter stalls, until the next start:',
          shell: [
            `echo 268435456 | sudo tee ${VM}/dirty_background_bytes`,
            `echo 1073741824 | sudo tee ${VM}/dirty_bytes`,
          ],
        },
      });
    },
  },
  {
    number: 14,
    id: 'numa',
    title: 'memory nodes (NUMA)',
    of: 'server host',
    examine: (host, { collected }) => {
      const nodes = numberOf(host, 'memory.numaNodes');
      if (nodes === undefined) return unseen('The host does not tell how many memory nodes it has.');
      if (nodes === 1) return ok('There is one memory node.');
      const { server } = collected;
      if (server.is === 'seen' && isOn(server.value.variables, 'innodb_numa_interleave')) {
        return ok(`The buffer pool is spread over ${nodes} memory nodes (innodb_numa_interleave).`);
      }
      return warning(`The host has ${nodes} memory nodes, and nothing shows that the server spreads over them.`, {
        because:
          'One node may be full while the other is free, and half of all reads go to the far one, now more, now less. ' +
          'Whether the server was started with numactl is not seen from here.',
        remedy: {
          is: 'Set innodb_numa_interleave = ON where the server has it, or start it with: numactl --interleave=all mysqld; or bind it to one node.',
        },
      });
    },
  },
]);
