/** Moments as people write them: `2026-11-30`, `2026-11-30T18:00`, `7d`, `today`. In UTC, as in the ids of runs. */
import { UserError } from '../base/errors.ts';

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const DAY_MS = 86_400_000;

/** ISO 8601, UTC. */
export function momentOf(written: string, option: string, nowMs: number): string {
  const ms = momentMs(written.trim(), nowMs);
  if (ms !== undefined && !Number.isNaN(ms)) return new Date(ms).toISOString();
  throw new UserError(`${option}=${written} is no moment.`, {
    hint: 'Write a date (2026-11-30), a date with a time of day in UTC (2026-11-30T18:00), how long ago (90m, 12h, 7d, 2w), today or yesterday.',
  });
}

function momentMs(written: string, nowMs: number): number | undefined {
  const midnightMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  if (written === 'today') return midnightMs;
  if (written === 'yesterday') return midnightMs - DAY_MS;
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(written) ?? [];
  if (count !== undefined) return nowMs - Number(count) * (UNIT_MS[unit] ?? 0);
  if (/^\d{4}-\d\d-\d\d$/.test(written)) return Date.parse(`${written}T00:00:00Z`);
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?$/.test(written)) {
    return Date.parse(`${written.replace(' ', 'T').replace(/Z$/, '')}Z`);
  }
  return undefined;
}
