/** The events of the commit probe: a small write and fdatasync, one after the other. */
import { fdatasyncSync, writeSync } from 'node:fs';
import type { EventRunner } from '../event-loop.ts';
import type { ThreadPlace } from '../host-test.ts';

/** InnoDB writes its redo log in blocks of 512 bytes; a small transaction fills one. */
export const COMMIT_RECORD_BYTES = 512;

export interface CommitValues {
  /** Beyond it the next record goes to the beginning again. 0: always at the end, which makes the file longer. */
  readonly file_bytes: number;
}

export function createCommitRunner(
  { file_bytes: fileBytes }: CommitValues,
  { fileDescriptors }: Pick<ThreadPlace, 'fileDescriptors'>,
): EventRunner {
  const descriptor = fileDescriptors[0] ?? -1;
  const record = new Uint8Array(COMMIT_RECORD_BYTES);
  let commits = 0;
  let position = 0;
  return {
    eventsTogetherMax: 1,
    run: (events) => {
      for (let event = 0; event < events; event++) {
        // What was there before must not be what is written, or a disk could leave it out.
        record.fill((commits % 255) + 1);
        writeSync(descriptor, record, 0, COMMIT_RECORD_BYTES, position);
        fdatasyncSync(descriptor);
        position += COMMIT_RECORD_BYTES;
        if (position === fileBytes) position = 0;
        commits++;
      }
    },
    counts: () => ({ commits }),
  };
}
