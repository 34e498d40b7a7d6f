/** A host made of texts: what its files say, and where its symbolic links lead. */
import type { HostFiles } from '../../src/observe/host-files.ts';

export interface FakeHost extends HostFiles {
  /** Every list that was asked for. */
  readonly asked: (readonly string[])[];
  readonly texts: Map<string, string>;
}

export function fakeHost(
  texts: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
): FakeHost {
  const all = new Map(Object.entries(texts));
  const asked: (readonly string[])[] = [];
  const matching = (pattern: string) => {
    const source = pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*');
    return [...all.keys(), ...Object.keys(links)].filter((path) => new RegExp(`^${source}(?:/.*)?$`).test(path));
  };
  return {
    asked,
    texts: all,
    read: async (paths) => {
      asked.push(paths);
      const found = paths.map((path): [string, string] => {
        const isPattern = /[*[]/.test(path);
        return [
          path,
          isPattern
            ? matching(path)
                .map((each) => all.get(each))
                .join('')
            : (all.get(path) ?? ''),
        ];
      });
      return new Map(found.filter(([, text]) => text !== ''));
    },
    match: async (patterns) =>
      patterns.flatMap((pattern) => {
        const depth = pattern.split('/').length;
        return [...new Set(matching(pattern).map((path) => path.split('/').slice(0, depth).join('/')))];
      }),
    room: async () => undefined,
    resolve: async (path) => links[path] ?? ([...all.keys()].some((each) => each.startsWith(path)) ? path : undefined),
  };
}
