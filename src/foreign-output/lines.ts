/** A text as lines that are safe to look at: whatever was pasted, of whatever size, costs a bounded time a line. */

/** Longer lines hold no output of any tool; patterns are not tried on them. */
const LINE_LENGTH_MAX = 4_000;

/** Line ends of any system; non-breaking spaces and the like are spaces; over-long lines are empty. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/).map((line) => (line.length > LINE_LENGTH_MAX ? '' : plain(line)));
}

function plain(line: string): string {
  return (
    line
      // Colours of a terminal, and whatever else would act on ours when it is quoted.
      .replace(/\p{Cc}\[[\d;?]*[A-Za-z]/gu, '')
      .replace(/(?!\t)\p{Cc}/gu, '')
      // Word processors and web pages put these in place of what was typed.
      .replace(/[\u00a0\u2000-\u200a\u202f]/g, ' ')
      .replace(/[\u200b\ufeff]/g, '')
      .replace(/[\u2010\u2011\u2212]/g, '-')
      .replace(/[\u201c\u201d]/g, '"')
  );
}

/** Zeros belong to no text; a file with some in its beginning is a program, a picture or an archive. */
export function isBinary(text: string): boolean {
  return text.slice(0, 4_096).includes('\0');
}
