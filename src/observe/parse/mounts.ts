/** /proc/self/mountinfo: on which file system a directory lies (proc_pid_mountinfo(5)). */

export interface Mount {
  /** `254:1`; 0 as the first number where no block device is behind it, or more than one. */
  readonly device: string;
  /** The directory of that file system that is mounted here. */
  readonly root: string;
  readonly mountPoint: string;
  readonly options: readonly string[];
  readonly filesystem: string;
  /** A path of a device, or a word of the file system's own. */
  readonly source: string;
  readonly superOptions: readonly string[];
}

export function parseMountinfo(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    // Optional fields stand between the options and a lone dash.
    const [before, after] = line.split(' - ');
    const [, , device, root, mountPoint, options] = before?.split(' ') ?? [];
    const [filesystem, source, superOptions] = after?.split(' ') ?? [];
    if (device === undefined || root === undefined || mountPoint === undefined || filesystem === undefined) return [];
    return [
      {
        device,
        root: unescaped(root),
        mountPoint: unescaped(mountPoint),
        options: (options ?? '').split(','),
        filesystem,
        source: unescaped(source ?? ''),
        superOptions: (superOptions ?? '').split(','),
      },
    ];
  });
}

/** Spaces, tabs, line breaks and backslashes are written in octal. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** The one with the longest mount point above `path`; of two at one place, the later covers the earlier. */
export function mountOf<T extends { readonly mountPoint: string }>(path: string, mounts: readonly T[]): T | undefined {
  let best: T | undefined;
  for (const mount of mounts) {
    const { mountPoint } = mount;
    const isAbove = mountPoint === '/' || path === mountPoint || path.startsWith(`${mountPoint}/`);
    if (isAbove && mountPoint.length >= (best?.mountPoint.length ?? 0)) best = mount;
  }
  return best;
}

/** Each option once, the mount's own first: `rw,noatime,discard,data=ordered`. */
export function mountOptions(mount: Mount): string {
  return [...new Set([...mount.options, ...mount.superOptions])].filter((option) => option !== '').join(',');
}
