/** Where in a script something stands, and what is wrong there. */

export interface ScriptText {
  /** As the user named it: `transfer.sql`. */
  readonly file: string;
  readonly text: string;
}

/** `transfer.sql:3:7`, lines and columns from 1. */
export function placeOf({ file, text }: ScriptText, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return `${file}:${line}:${offset - before.lastIndexOf('\n')}`;
}

/** A mistake in a script, found while it is read. */
export class ScriptProblem extends Error {
  readonly offset: number;
  readonly remedy: string;

  constructor(offset: number, is: string, remedy: string) {
    super(is);
    this.name = 'ScriptProblem';
    this.offset = offset;
    this.remedy = remedy;
  }
}

/** As a line for the user: the place, a sentence, and what to do. */
export function problemLine(script: ScriptText, { offset, message, remedy }: ScriptProblem): string {
  return `${placeOf(script, offset)}: ${message} ${remedy}`;
}
