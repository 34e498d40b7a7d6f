/**
 * A source text with its comments and the contents of its strings blanked out, line by line in place: so that rules
 * about code do not stumble over prose. Not a parser; it knows just enough of the language to tell the three apart.
 */

/** After these a slash begins a regular expression; after a name, a number or a bracket it divides. */
const BEFORE_REGEX = /(?:^|[=(,:;!&|?{}[\n+\-*<>~%^]|\b(?:return|typeof|case|in|of|await|yield))\s*$/;
/** As far back as the longest keyword above and some space. */
const LOOK_BACK = 24;

export function scrub(text: string): string {
  const out: string[] = [];
  /** Depth of braces at which each open template literal goes on. */
  const templates: number[] = [];
  let depth = 0;
  let at = 0;
  while (at < text.length) {
    const two = text.slice(at, at + 2);
    const one = text[at] ?? '';
    let end = at + 1;
    if (two === '//') end = until(text, at, '\n');
    else if (two === '/*') end = after(text, at + 2, '*/');
    else if (one === "'" || one === '"') end = endOfString(text, at, one);
    else if (one === '`') end = enterTemplate(text, at + 1);
    else if (one === '/' && BEFORE_REGEX.test(text.slice(Math.max(0, at - LOOK_BACK), at))) end = endOfRegex(text, at);
    else if (one === '}' && templates.at(-1) === depth) {
      templates.pop();
      depth--;
      end = enterTemplate(text, at + 1);
    } else {
      if (one === '{') depth++;
      if (one === '}') depth--;
      out.push(one);
      at++;
      continue;
    }
    out.push(blank(text.slice(at, end)));
    if ((one === '`' || one === '}') && text.startsWith('${', end - 2)) {
      depth++;
      templates.push(depth);
    }
    at = end;
  }
  return out.join('');
}

/** Spaces for everything but the line ends; quotes stay, so that `from ''` is still seen as an import. */
function blank(text: string): string {
  return text.replaceAll(/[^\n'"`]/g, ' ');
}

function until(text: string, from: number, mark: string): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found;
}

function after(text: string, from: number, mark: string): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found + mark.length;
}

function endOfString(text: string, from: number, quote: string): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote || text[at] === '\n') return at + 1;
  }
  return text.length;
}

/** To the closing backtick, or past the next `${`. */
function enterTemplate(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '`') return at + 1;
    else if (text.startsWith('${', at)) return at + 2;
  }
  return text.length;
}

function endOfRegex(text: string, from: number): number {
  let inClass = false;
  for (let at = from + 1; at < text.length; at++) {
    const one = text[at];
    if (one === '\\') at++;
    else if (one === '\n') return at;
    else if (one === '[') inClass = true;
    else if (one === ']') inClass = false;
    else if (one === '/' && !inClass) return at + 1;
  }
  return text.length;
}
