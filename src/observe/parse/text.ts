/** Reading the small texts of /proc and /sys: lines, columns, numbers. What is not there is undefined, never zero. */

/** Times in /proc are in hundredths of a second on every architecture that a database runs on (USER_HZ, time(7)). */
export const TICKS_PER_S = 100;

/** The number a text consists of, such as a file of /sys holds. */
export function numberIn(text: string | undefined): number | undefined {
  const trimmed = text?.trim();
  if (trimmed === undefined || !/^-?\d+(?:\.\d+)?$/.test(trimmed)) return undefined;
  return Number(trimmed);
}

export function numbersIn(text: string | undefined): number[] {
  const numbers = (text ?? '').split(/\s+/).map(numberIn);
  return numbers.filter((number) => number !== undefined);
}

/** `Name: 12 kB` and `name 12` alike, one a line; what follows the number is dropped. */
export function numbersByName(text: string | undefined): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of (text ?? '').split('\n')) {
    const match = /^([^\s:]+):?\s+(-?\d+)/.exec(line);
    if (match !== null) found.set(match[1]!, Number(match[2]));
  }
  return found;
}

/** One of them, without looking at all: some of these texts have two hundred lines, of which one matters. */
export function numberNamed(name: string, text: string | undefined): number | undefined {
  const found = new RegExp(`^${name}:?\\s+(-?\\d+)`, 'm').exec(text ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Trimmed, without the zero bytes that end the texts of a device tree; undefined where nothing is left. */
export function wordsIn(text: string | undefined): string | undefined {
  const words = text?.replaceAll('\0', ' ').trim();
  return words === undefined || words === '' ? undefined : words;
}

/** The choice in brackets, as of `none [mq-deadline] kyber`; the whole text where none is. */
export function chosenIn(text: string | undefined): string | undefined {
  return /\[([^\]]+)\]/.exec(text ?? '')?.[1] ?? wordsIn(text);
}

/** How many numbers a list such as `0-3,8` names. */
export function lengthOfList(text: string | undefined): number | undefined {
  const words = wordsIn(text);
  if (words === undefined || !/^\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*$/.test(words)) return undefined;
  const ranges = words.split(',').map((range) => range.split('-').map(Number));
  return ranges.reduce((sum, [first = 0, last = first]) => sum + last - first + 1, 0);
}

/** Without the parts that are undefined: for samples and facts, where absent means not to be had. */
export function known<T extends object>(parts: { readonly [Key in keyof T]: T[Key] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Partial<T>;
}
