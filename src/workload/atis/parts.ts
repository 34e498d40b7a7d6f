/** Of what parts a run consists, in test-ATIS's order and by its names. */
import { type AtisOptions, loopsOf } from './options.ts';
import { queriesOf, SELECT_GROUPS, type SelectGroup } from './queries.ts';
import { ATIS_ROWS, ATIS_TABLES } from './tables.ts';

export interface Part {
  /** Of the transaction. */
  readonly name: 'create_table' | 'insert' | 'book_keeping' | 'drop_table' | SelectGroup;
  readonly events: number;
  /** As test-ATIS counts: tables, rows, or queries. */
  readonly count: number;
  /** It changes what other sessions would be looking at. */
  readonly isAlone: boolean;
}

export function partsOf(options: AtisOptions): Part[] {
  const tables = ATIS_TABLES.length;
  const loops = loopsOf(options);
  const making: Part[] = [
    { name: 'create_table', events: tables, count: tables, isAlone: true },
    { name: 'insert', events: options.fast ? tables : ATIS_ROWS, count: ATIS_ROWS, isAlone: true },
    ...(options.fast ? [{ name: 'book_keeping', events: 1, count: 1, isAlone: true } as const] : []),
  ];
  const selecting = SELECT_GROUPS.map((name) => {
    return { name, events: loops, count: loops * queriesOf(name, options.if_query).length, isAlone: false };
  });
  return [
    ...(options.skip_create ? [] : making),
    ...selecting,
    ...(options.skip_delete ? [] : [{ name: 'drop_table', events: tables, count: tables, isAlone: true } as const]),
  ];
}

/** Of an event that is counted over all parts, its number within its own. */
export function numberWithin(parts: readonly Part[], name: Part['name'], index: number): number {
  let before = 0;
  for (const part of parts) {
    if (part.name === name) break;
    before += part.events;
  }
  return index - before;
}
