/** What the server says, as long as a part of the page is shown. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ApiProblem } from '../api.ts';
import { get, problemsOf } from './http.ts';

export type Loaded<Data> =
  | { readonly is: 'loading' }
  | { readonly is: 'there'; readonly data: Data }
  | { readonly is: 'failed'; readonly problems: readonly ApiProblem[] };

/** Asks again where the path changes; undefined asks nothing. What was there stays until the new is. */
export function useData<Data>(path: string | undefined): { readonly loaded: Loaded<Data>; again(): void } {
  const [loaded, setLoaded] = useState<Loaded<Data>>({ is: 'loading' });
  const [asked, setAsked] = useState(0);
  // `asked` asks again for the same path.
  useEffect(() => {
    if (path === undefined) return;
    const patience = new AbortController();
    get<Data>(path, patience.signal).then(
      (data) => setLoaded({ is: 'there', data }),
      (error) => {
        if (!patience.signal.aborted) setLoaded({ is: 'failed', problems: problemsOf(error) });
      },
    );
    return () => patience.abort();
  }, [path, asked]);
  return { loaded, again: useCallback(() => setAsked((count) => count + 1), []) };
}

/** Something that is done at the press of a button: whether it is under way, and what was wrong. */
export function useDeed(): {
  readonly isBusy: boolean;
  readonly problems: readonly ApiProblem[];
  perform(deed: () => Promise<void>): void;
} {
  const [isBusy, setBusy] = useState(false);
  const [problems, setProblems] = useState<readonly ApiProblem[]>([]);
  const perform = (deed: () => Promise<void>) => {
    setBusy(true);
    setProblems([]);
    deed()
      .catch((error) => setProblems(problemsOf(error)))
      .finally(() => setBusy(false));
  };
  return { isBusy, problems, perform };
}
