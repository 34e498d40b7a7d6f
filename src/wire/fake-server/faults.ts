/**
 * What can go wrong on the way to the client. Positions count from 0 over the whole connection, in bytes before
 * encryption or in packets (the greeting is packet 0). Nothing here keeps time: delays are promises of the caller.
 */

export type Fault =
  | { readonly is: 'cut'; readonly afterBytes: number; readonly abruptly: boolean }
  | { readonly is: 'stall'; readonly afterBytes: number }
  | { readonly is: 'garbage'; readonly afterBytes: number; readonly bytes: Uint8Array }
  | { readonly is: 'split'; readonly at: readonly number[] | 'every-byte'; readonly between: () => Promise<void> }
  | { readonly is: 'wrong-sequence'; readonly packet: number; readonly by: number }
  | { readonly is: 'truncate'; readonly packet: number; readonly length: number }
  | { readonly is: 'wrong-length'; readonly packet: number; readonly by: number }
  | { readonly is: 'replace'; readonly packet: number; readonly payload: Uint8Array }
  | { readonly is: 'delay'; readonly packet: number; readonly until: Promise<void> };

/** Closes the connection when that many bytes are sent; abruptly: with a reset, as after a crash of the host. */
export function cutAfterBytes(afterBytes: number, options: { readonly abruptly?: boolean } = {}): Fault {
  return { is: 'cut', afterBytes, abruptly: options.abruptly ?? false };
}

/** Sends that many bytes and then nothing more; the connection stays open. */
export function stallAfterBytes(afterBytes: number): Fault {
  return { is: 'stall', afterBytes };
}

/** Slips bytes in that belong to no packet. */
export function garbage(afterBytes: number, bytes: Uint8Array): Fault {
  return { is: 'garbage', afterBytes, bytes };
}

/** Cuts the stream into pieces at these positions and waits between them. */
export function splitAt(at: readonly number[] | 'every-byte', between: () => Promise<void>): Fault {
  return { is: 'split', at, between };
}

/** Adds `by` to the sequence number of one packet. */
export function wrongSequence(packet: number, by = 1): Fault {
  return { is: 'wrong-sequence', packet, by };
}

/** Drops the end of one payload: a whole packet, with a true header, of which a part is missing. */
export function truncatePacket(packet: number, length: number): Fault {
  return { is: 'truncate', packet, length };
}

/** A header that promises `by` bytes more (or less) than follow. */
export function wrongLength(packet: number, by: number): Fault {
  return { is: 'wrong-length', packet, by };
}

/** Another payload in place of the right one. */
export function replacePacket(packet: number, payload: Uint8Array): Fault {
  return { is: 'replace', packet, payload };
}

/** Holds one packet, and all after it, back. */
export function delayPacket(packet: number, until: Promise<void>): Fault {
  return { is: 'delay', packet, until };
}
