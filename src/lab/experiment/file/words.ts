/** A line as on a command line, split into words that know where they stand. */

export interface Word {
  readonly text: string;
  /** Of its first character, in the line. */
  readonly index: number;
}

/** Blanks separate; what is in single or double quotes is one word, or part of one. A quote left open ends the line. */
export function splitLine(line: string): Word[] {
  const words: Word[] = [];
  for (const match of line.matchAll(/(?:[^\s'"]|'[^']*(?:'|$)|"[^"]*(?:"|$))+/g)) {
    const text = match[0].replace(/'([^']*)(?:'|$)|"([^"]*)(?:"|$)/g, (_, single, double) => single ?? double);
    words.push({ text, index: match.index });
  }
  return words;
}
