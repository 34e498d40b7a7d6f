/** Whether a disk keeps what it says that it has flushed, by what was seen of it. */
import { flagOf, textOf } from './check.ts';
import type { HostLook, Seen } from './collected.ts';

/** In so short a time no disk has anything safe, unless its cache has a power supply of its own. */
const FLUSH_US_MIN = 20;
/** A disk that turns 15,000 times a minute comes round in 4 ms; a quarter of it is luck. */
const ROTATION_US_MIN = 1_000;

/** Why the flush looks too fast to be true, as a sentence; undefined where it does not. */
export function flushSign(host: HostLook, p50Us: number): string | undefined {
  const cache = textOf(host, 'disk.writeCache');
  if (p50Us < FLUSH_US_MIN && cache !== 'write through') {
    if (cache === undefined) return 'Hardly any disk is as fast.';
    return `The disk says that it has a cache (${cache}), and hardly any disk empties it as fast.`;
  }
  if (flagOf(host, 'disk.rotational') === true && !isVirtual(host) && p50Us < ROTATION_US_MIN) {
    return 'The disk says that it turns, and comes round much more slowly than that.';
  }
  return undefined;
}

/** For the class of durability: nothing seen proves that a disk keeps its word. */
export function storageOf(host: Seen<HostLook>): { readonly keepsFlushes?: false; readonly because?: string } {
  const doubt = host.is === 'seen' ? flushDoubt(host.value) : undefined;
  return doubt === undefined ? {} : { keepsFlushes: false, because: doubt };
}

/** Why it may be that this host loses what it has flushed, as a sentence; undefined where nothing says so. */
function flushDoubt(host: HostLook): string | undefined {
  if (/^(?:tmpfs|ramfs)$/.test(textOf(host, 'datadir.filesystem') ?? '')) return 'The data are in memory.';
  if (hasNoBarrier(host)) return 'The file system is mounted without barriers: flushes do not reach the disk.';
  const sign = host.flush.is === 'seen' ? flushSign(host, host.flush.value.p50Us) : undefined;
  return sign === undefined ? undefined : `The disk probably ignores flushes. ${sign}`;
}

export function hasNoBarrier(host: HostLook): boolean {
  return /(?:^|,)(?:nobarrier|barrier=0)(?:,|$)/.test(textOf(host, 'datadir.mountOptions') ?? '');
}

/** Or where that is not known: a virtual disk says that it turns unless somebody has told it otherwise. */
export function isVirtual(host: HostLook): boolean {
  return textOf(host, 'virtualization.hypervisor') !== 'none';
}
