/** Asking the server: always with the token that came with the address, which is kept for this address alone. */
import type { ApiFailure, ApiProblem } from '../api.ts';

const KEY = 'sqldyno-token';

/** Behind `#` it reaches no server and no log; out of the address bar it is not copied along. */
export function takeToken(): void {
  const found = /[#&]token=([\w-]+)/.exec(window.location.hash)?.[1];
  if (found === undefined) return;
  window.localStorage.setItem(KEY, found);
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
}

export function setToken(token: string): void {
  window.localStorage.setItem(KEY, token);
}

/** What the server says is wrong. */
export class Refused extends Error {
  readonly status: number;
  readonly problems: readonly ApiProblem[];

  constructor(status: number, problems: readonly ApiProblem[]) {
    super(problems.map(({ is }) => is).join('\n'));
    this.name = 'Refused';
    this.status = status;
    this.problems = problems;
  }
}

const GONE: readonly ApiProblem[] = [
  {
    is: 'The program does not answer any more.',
    remedy: 'Start it again with sqldyno ui, and open the address that it prints.',
  },
];

export async function get<Reply>(path: string, signal?: AbortSignal): Promise<Reply> {
  const response = await ask(path, signal === undefined ? {} : { signal });
  return (await response.json()) as Reply;
}

export async function post<Reply>(path: string, body: unknown): Promise<Reply> {
  const headers = { 'content-type': 'application/json' };
  const response = await ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Reply;
}

/** Saves what the server gives out as a file. */
export async function save(path: string, name: string): Promise<void> {
  const response = await ask(path, {});
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

export async function ask(path: string, given: RequestInit): Promise<Response> {
  const authorization = `Bearer ${window.localStorage.getItem(KEY) ?? ''}`;
  let response: Response;
  try {
    response = await fetch(path, { ...given, headers: { ...given.headers, authorization } });
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw new Refused(0, GONE);
  }
  if (response.ok) return response;
  const { problems = GONE } = (await response.json().catch(() => ({}))) as Partial<ApiFailure>;
  throw new Refused(response.status, problems);
}

export function problemsOf(error: unknown): readonly ApiProblem[] {
  return error instanceof Refused ? error.problems : [{ is: `The page has a mistake: ${String(error)}` }];
}
