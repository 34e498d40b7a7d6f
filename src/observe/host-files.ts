/** How the files of a host are read, whether it is this one or another: the same parsers serve both. */
import type { Room } from './host-sample.ts';

export interface HostFiles {
  /**
   * Texts by path; what is not there or may not be read is absent. A path may be a pattern (`*`, `[0-9]`): its text is
   * that of all matches, one after another.
   */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Paths that exist, of patterns and plain paths. */
  match(patterns: readonly string[]): Promise<readonly string[]>;
  /** Without symbolic links; undefined where it does not exist. */
  resolve(path: string): Promise<string | undefined>;
  /** On the file system of this path; undefined where that is not there. */
  room(path: string): Promise<Room | undefined>;
}
