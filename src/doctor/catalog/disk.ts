/** What the data lie on: the queue in front of the disk, the file system, the room left, and the flash itself. */
import { formatBytes, formatCount, formatLatency } from '../../base/units.ts';
import {
  block,
  type Case,
  defineChecks,
  flagOf,
  info,
  numberOf,
  type Opinion,
  ok,
  textOf,
  unseen,
  warning,
} from '../check.ts';
import type { HostLook } from '../collected.ts';
import { flushSign, hasNoBarrier, isVirtual } from '../flush-sign.ts';
import { growthOf } from '../growth.ts';

const NO_DIRECTORY = 'Where the data lie on that host is not known.';
/** None of it is a disk of the server's own. */
const NO_DISK: readonly { readonly is: string; readonly pattern: RegExp }[] = [
  { is: 'in memory', pattern: /^(?:tmpfs|ramfs)$/ },
  { is: "in a container's layers", pattern: /^(?:overlay|overlayfs|aufs)$/ },
  { is: 'on another host', pattern: /^(?:nfs\d?|cifs|smb\w*|9p|virtiofs|vboxsf|fuse.*|ceph|glusterfs|afs)$/ },
];
const COPY_ON_WRITE = /^(?:btrfs|zfs|bcachefs)$/;
/** A server whose disk is full stands still; this much is filled by the logs alone. */
const ROOM_BYTES_MIN = 2 ** 29;
const FILES_MIN = 1_000;
const LIFE_USED_PERCENT_MAX = 80;

export default defineChecks([
  {
    number: 7,
    id: 'disk-queue',
    title: 'scheduler and kind of disk',
    of: 'server host',
    examine: (host) => {
      const name = textOf(host, 'disk.name');
      const scheduler = textOf(host, 'disk.scheduler');
      const isRotational = flagOf(host, 'disk.rotational');
      if (name === undefined) return unseen('Which disk the data lie on cannot be told.');
      if (scheduler === undefined || isRotational === undefined) return unseen(`Of ${name} only its name is told.`);
      const cache = textOf(host, 'disk.writeCache');
      const kind = !isRotational ? 'flash' : isVirtual(host) ? 'turning, or virtual' : 'turning';
      const is = `${name}: ${kind}, scheduler ${scheduler}${cache === undefined ? '' : `, cache ${cache}`}.`;
      // A virtual disk says that it turns where nobody has told it otherwise.
      if (!isRotational || scheduler !== 'none' || isVirtual(host)) return ok(is);
      return warning(`${name} turns, and nothing sorts what is written to it (scheduler none).`, {
        because: 'Its heads then move for every single page.',
        remedy: {
          is: 'Until the next start:',
          shell: [`echo mq-deadline | sudo tee /sys/block/${name}/queue/scheduler`],
        },
      });
    },
  },
  {
    number: 8,
    id: 'filesystem',
    title: 'file system of the data',
    of: 'server host',
    examine: (host) => {
      const filesystem = textOf(host, 'datadir.filesystem');
      const path = textOf(host, 'datadir.path') ?? 'The data directory';
      if (filesystem === undefined) return unseen(NO_DIRECTORY);
      const options = textOf(host, 'datadir.mountOptions') ?? '';
      const noDisk = NO_DISK.find(({ pattern }) => pattern.test(filesystem));
      if (noDisk !== undefined) {
        return block(`${path} lies ${noDisk.is} (${filesystem}), and not on a disk of the server's own.`, {
          because:
            'What is measured there says nothing of a disk: not how fast a commit is, nor what survives a crash.',
          remedy: {
            is: 'Put the data on a local disk, in a container on a volume; or, if this is what is to be measured, give --accept=filesystem.',
          },
        });
      }
      if (hasNoBarrier(host)) {
        return warning(`${path} is mounted without barriers (${options}): a flush does not reach the disk.`, {
          because: 'Commits look fast, and may be gone after a loss of power.',
          remedy: {
            is: 'Mount it with barriers, here and in /etc/fstab:',
            shell: [`sudo mount -o remount,barrier=1 ${textOf(host, 'datadir.mountPoint') ?? '/'}`],
          },
        });
      }
      if (COPY_ON_WRITE.test(filesystem)) {
        return info(`${path} lies on ${filesystem}, which writes every changed page to another place.`, {
          because: 'It slows down as its files are scattered: a fresh one is faster than one in use.',
        });
      }
      const journal = /(?:^|,)data=(journal|writeback)(?:,|$)/.exec(options)?.[1];
      if (journal !== undefined) {
        return info(`${path} is mounted with data=${journal}.`, {
          because: journal === 'journal' ? 'Everything is written twice.' : 'After a crash files may hold old blocks.',
        });
      }
      return ok(`${path} lies on ${filesystem}.`);
    },
  },
  {
    number: 9,
    id: 'flush-honoured',
    title: 'does the disk keep what it flushes',
    of: 'server host',
    examine: (host) => {
      if (host.flush.is === 'unseen') {
        const shell = ['sqldyno fileio --file-dir=DIRECTORY run'];
        return unseen(host.flush.because, { is: 'On that host, with a directory on the disk of the data:', shell });
      }
      const { p50Us, flushes, fileSystem, directory } = host.flush.value;
      if (/^(?:tmpfs|ramfs)$/.test(fileSystem)) {
        return unseen(`${directory} is in memory (${fileSystem}): there is nothing to flush.`);
      }
      const measured = `Half of ${flushes} small writes were flushed within ${formatLatency(p50Us)}`;
      const sign = flushSign(host, p50Us);
      if (sign === undefined) return ok(`${measured}.`);
      return warning(`${measured}: the flush is probably ignored.`, {
        because: `${sign} Its host keeps it in memory (cache=unsafe), a container hides the disk, or a cache with its own power takes it: only the last keeps what was committed.`,
        remedy: { is: 'Find out which it is; until then take no figure with durable commits from it.' },
      });
    },
  },
  {
    number: 21,
    id: 'room',
    title: 'room on the disk',
    of: 'server host',
    examine: examineRoom,
  },
  {
    number: 31,
    id: 'flash',
    title: 'state of the flash',
    of: 'server host',
    examine: examineFlash,
  },
]);

function examineRoom(host: HostLook, { plan, collected }: Case): Opinion {
  if (host.room.is === 'unseen') return unseen(host.room.because);
  const { freeBytes, freeFiles = FILES_MIN } = host.room.value;
  const free = `${formatBytes(freeBytes)}${freeFiles < FILES_MIN ? ` and ${formatCount(freeFiles)} inodes` : ''}`;
  const is = `${free} are free beside ${textOf(host, 'datadir.path') ?? 'the data directory'}`;
  const growth = plan && growthOf(plan, collected);
  const isShort = growth !== undefined && freeBytes < 2 * growth.bytes;
  const remedy = { is: 'Make room, take another disk, or a shorter run.' };
  const because = `A server whose disk is full stands still.${isShort ? ` ${growth.how}.` : ''}`;
  if ((isShort && growth.isCertain) || freeBytes < ROOM_BYTES_MIN || freeFiles < FILES_MIN) {
    return block(`Only ${is}.`, { because, remedy });
  }
  return isShort ? warning(`${is}, which may not be enough.`, { because, remedy }) : ok(`${is}.`);
}

function examineFlash(host: HostLook, { plan }: Case): Opinion {
  const isRotational = flagOf(host, 'disk.rotational');
  if (isRotational === undefined) return unseen('What kind of disk the data lie on is not told.');
  if (isRotational && !isVirtual(host)) return ok('The data lie on no flash.');
  const usedPercent = numberOf(host, 'disk.lifeUsedPercent');
  if (usedPercent !== undefined && usedPercent > LIFE_USED_PERCENT_MAX) {
    return info(`The card has used up ${usedPercent} % of the life of its cells.`, {
      because: 'Cells that wear out are slower to write, and it will fail before long.',
      remedy: { is: 'Take a new card, and keep a copy of the data.' },
    });
  }
  if (/(?:^|,)discard(?:=|,|$)/.test(textOf(host, 'datadir.mountOptions') ?? '')) {
    return info('What is deleted is discarded on the disk at once (mount option discard).', {
      because: 'Dropping a table or rotating a log then competes with the load.',
      remedy: { is: 'Mount without it, and trim between runs:', shell: ['sudo fstrim -av'] },
    });
  }
  if (plan?.writes === true) {
    return unseen(
      'Whether the flash has been written full once, as it will be in use, no host tells: a new one is faster.',
    );
  }
  return ok('Nothing is discarded while files are deleted.');
}
