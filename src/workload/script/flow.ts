/** What is known at one place of a script: which variables are set, and whether a transaction may be open. */
import type { ValueType } from './values.ts';

export interface Flow {
  readonly types: Map<string, ValueType>;
  /** Set on some ways to this place, not on all. */
  readonly perhaps: Set<string>;
  mayBeOpen: boolean;
}

export function emptyFlow(): Flow {
  return { types: new Map(), perhaps: new Set(), mayBeOpen: false };
}

export function copyOf(flow: Flow): Flow {
  return { ...flow, types: new Map(flow.types), perhaps: new Set(flow.perhaps) };
}

/** Where several ways meet. */
export function meet(ways: readonly Flow[]): Flow {
  const merged = { ...emptyFlow(), mayBeOpen: ways.some(({ mayBeOpen }) => mayBeOpen) };
  for (const name of new Set(ways.flatMap(({ types, perhaps }) => [...types.keys(), ...perhaps]))) {
    const found = ways.map((way) => way.types.get(name));
    const [first] = found;
    if (first === undefined || found.includes(undefined)) merged.perhaps.add(name);
    else merged.types.set(name, found.every((type) => type === first) ? first : 'any');
  }
  return merged;
}
