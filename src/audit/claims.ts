/** Sentences of a text that claim something of its figures: so many times faster, the fastest, below so many ms. */

/** More are not looked at: a book is not a report. */
const CLAIMS_MAX = 200;

interface ClaimBase {
  readonly line: number;
  /** The part that claims, as it stands there. */
  readonly quote: string;
  readonly sentence: string;
}

export type Claim = ClaimBase &
  (
    | { readonly is: 'ratio'; readonly factor: number; readonly subject: string; readonly object: string }
    | { readonly is: 'superlative'; readonly subject: string; readonly isBest: boolean; readonly seconds?: number }
    | { readonly is: 'alike' | 'changed' }
    | { readonly is: 'bound'; readonly percentile: number; readonly ms: number }
    | { readonly is: 'per query'; readonly ms: number }
  );

/** Made of its parts, each a pattern of its own. */
function pattern(...parts: readonly RegExp[]): RegExp {
  return new RegExp(parts.map(({ source }) => source).join(''), 'i');
}

const RATIO = pattern(
  /(?:even|approximately|approx\.?|about|roughly|nearly|almost|up to|~)?\s*\b(\d+(?:\.\d+)?)(?: times|x|×) /,
  /(?:as (?:fast|slow|many|much)|slower|faster|higher|lower|better|more|less|the (?:number|throughput|rate))/,
);
const SUPERLATIVE = /\b(fastest|slowest|best|worst)\b/i;
const ALIKE = [
  /\bno (?:discernible|noticeable|significant|measurable|real)(?: \w+){0,2} difference\b/i,
  /\b(?:similar (?:results|performance|figures)|comparable|statistically insignificant)\b/i,
];
const CHANGED = [
  /\b(?:slightly better|(?:a )?(?:little|bit) better|got (?:a little |much |slightly )?(?:better|faster|slower))\b/i,
  /\b(?:improved (?:by|the)|dropped from|increased (?:by|from))\b/i,
];
const BOUND = pattern(
  /\b(\d{1,2}(?:\.\d+)?) ?% (?:of )?.{0,60}?\b(?:less than|under|below|within|faster than) /,
  /(\d+(?:\.\d+)?) ?(?:ms|milliseconds)\b/,
);
const PER_QUERY = /\b(\d+(?:\.\d+)?) ?(?:ms|milliseconds) (?:per|for each|for every) (?:query|statement)\b/i;
const SECONDS_AFTER = /\((\d+(?:\.\d+)?) ?s\)/;

export function readClaims(lines: readonly string[]): Claim[] {
  const claims: Claim[] = [];
  for (const [at, text] of lines.entries()) {
    if (claims.length >= CLAIMS_MAX) break;
    // Tables and code claim nothing.
    if (text.includes('\t') || !/[a-z]{3,} [a-z]{2,}/.test(text)) continue;
    for (const sentence of text.split(/(?<=[.!?;]) /)) claims.push(...claimsOf(sentence, at + 1));
  }
  return claims;
}

function claimsOf(sentence: string, line: number): Claim[] {
  const claims: Claim[] = [];
  const base = (quote: string) => ({ line, quote: quote.trim(), sentence });
  const ratio = RATIO.exec(sentence);
  if (ratio !== null) {
    const after = sentence.slice(ratio.index + ratio[0].length);
    const object = /\b(?:than|compared (?:to|with)|as|over)\b(.*)/i.exec(after)?.[1] ?? after;
    const subject = sentence.slice(0, ratio.index);
    claims.push({ ...base(ratio[0]), is: 'ratio', factor: Number(ratio[1]), subject, object });
  }
  const superlative = SUPERLATIVE.exec(sentence);
  if (superlative !== null) {
    const seconds = SECONDS_AFTER.exec(sentence)?.[1];
    claims.push({
      ...base(superlative[0]),
      is: 'superlative',
      isBest: /fastest|best/i.test(superlative[0]),
      subject: sentence.slice(0, superlative.index),
      ...(seconds === undefined ? {} : { seconds: Number(seconds) }),
    });
  }
  const bound = BOUND.exec(sentence);
  if (bound !== null)
    claims.push({ ...base(bound[0]), is: 'bound', percentile: Number(bound[1]), ms: Number(bound[2]) });
  const perQuery = PER_QUERY.exec(sentence);
  if (perQuery !== null) claims.push({ ...base(perQuery[0]), is: 'per query', ms: Number(perQuery[1]) });
  const alike = firstOf(ALIKE, sentence);
  if (alike !== undefined) claims.push({ ...base(alike), is: 'alike' });
  const changed = firstOf(CHANGED, sentence);
  if (changed !== undefined && bound === null) claims.push({ ...base(changed), is: 'changed' });
  return claims;
}

function firstOf(patterns: readonly RegExp[], sentence: string): string | undefined {
  return patterns.map((candidate) => candidate.exec(sentence)?.[0]).find((found) => found !== undefined);
}
