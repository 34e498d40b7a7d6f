/** Writes rows as bytes, for LOAD DATA or for INSERT: the values are the same, only what stands around them differs. */

/** What stands around values and rows. Texts hold letters, digits and spaces only, so nothing is ever escaped. */
export interface RowFormat {
  readonly rowStart: string;
  readonly rowEnd: string;
  readonly separator: string;
  /** Around texts; may be empty. */
  readonly quote: string;
  readonly null: string;
}

/** LOAD DATA without options: fields end with a tab, lines with a newline, NULL is \N. */
export const LOAD_DATA_FORMAT: RowFormat = { rowStart: '', rowEnd: '\n', separator: '\t', quote: '', null: '\\N' };
/** Of a list of values in an INSERT; the comma behind the last row is for the caller to take away. */
export const INSERT_FORMAT: RowFormat = { rowStart: '(', rowEnd: '),', separator: ',', quote: "'", null: 'NULL' };

/** No row of any table is longer, in either format: a customer with 500 characters of data has about 750. */
export const ROW_BYTES_MAX = 1_024;

const DIGIT_ZERO = 0x30;
const POINT = 0x2e;

/** Values are written one after another; `endRow` closes the row. Nothing here looks whether the buffer is full. */
export class RowWriter {
  bytes: Buffer = Buffer.alloc(0);
  at = 0;
  readonly #rowStart: Uint8Array;
  readonly #rowEnd: Uint8Array;
  readonly #null: Uint8Array;
  readonly #separator: number;
  /** 0: none. */
  readonly #quote: number;

  constructor(format: RowFormat) {
    this.#rowStart = Buffer.from(format.rowStart, 'latin1');
    this.#rowEnd = Buffer.from(format.rowEnd, 'latin1');
    this.#null = Buffer.from(format.null, 'latin1');
    this.#separator = format.separator.charCodeAt(0);
    this.#quote = format.quote === '' ? 0 : format.quote.charCodeAt(0);
  }

  /** Goes on at the start of this buffer. */
  open(bytes: Buffer, at: number): void {
    this.bytes = bytes;
    this.at = at;
  }

  /** True where one more row fits whatever it holds. */
  get hasRoom(): boolean {
    return this.at + ROW_BYTES_MAX <= this.bytes.length;
  }

  /** Hot. */
  startRow(): void {
    this.#put(this.#rowStart);
  }

  /** Hot: the separator behind the last value becomes the end of the row. */
  endRow(): void {
    this.at--;
    this.#put(this.#rowEnd);
  }

  /** Hot. */
  null(): void {
    this.#put(this.#null);
    this.bytes[this.at++] = this.#separator;
  }

  /** Hot: from 0 to 2^31 - 1. */
  integer(value: number): void {
    this.digits(value, digitCount(value));
    this.bytes[this.at++] = this.#separator;
  }

  /** Hot: a number with its decimals, given as a whole: 1234 with two decimals is 12.34. */
  decimal(value: number, decimals: number): void {
    let unit = 1;
    for (let place = 0; place < decimals; place++) unit *= 10;
    const whole = (value / unit) | 0;
    this.digits(whole, digitCount(whole));
    const { bytes } = this;
    bytes[this.at++] = POINT;
    this.digits(value - whole * unit, decimals);
    bytes[this.at++] = this.#separator;
  }

  /** Hot: a number or a date that is written already; a date needs the quotes, so it goes by `text`. */
  literal(source: Uint8Array): void {
    this.#put(source);
    this.bytes[this.at++] = this.#separator;
  }

  /** Hot: as it is, quoted where the format quotes. */
  text(source: Uint8Array): void {
    this.slice(source, 0, source.length);
  }

  /** Hot: `length` bytes of `source` from `start`. */
  slice(source: Uint8Array, start: number, length: number): void {
    this.openText();
    this.append(source, start, length);
    this.closeText();
  }

  /** Hot. Between this and `closeText`, `append` and `fill` add to one text. */
  openText(): void {
    if (this.#quote !== 0) this.bytes[this.at++] = this.#quote;
  }

  /** Hot. */
  closeText(): void {
    if (this.#quote !== 0) this.bytes[this.at++] = this.#quote;
    this.bytes[this.at++] = this.#separator;
  }

  /** Hot. */
  append(source: Uint8Array, start: number, length: number): void {
    const { bytes, at } = this;
    if (length > LOOP_BYTES_MAX) bytes.set(source.subarray(start, start + length), at);
    else for (let index = 0; index < length; index++) bytes[at + index] = source[start + index]!;
    this.at = at + length;
  }

  /** Hot: one byte, repeated. */
  fill(byte: number, length: number): void {
    this.bytes.fill(byte, this.at, this.at + length);
    this.at += length;
  }

  /** Hot: the last `length` digits of a number up to 2^31 - 1, with zeros in front. */
  digits(value: number, length: number): void {
    const { bytes } = this;
    let rest = value;
    for (let place = this.at + length - 1; place >= this.at; place--) {
      const next = (rest / 10) | 0;
      bytes[place] = DIGIT_ZERO + rest - next * 10;
      rest = next;
    }
    this.at += length;
  }

  /** Hot. */
  #put(source: Uint8Array): void {
    for (let index = 0; index < source.length; index++) this.bytes[this.at++] = source[index]!;
  }
}

/** Up to so many bytes a loop is quicker than the call that copies them. */
const LOOP_BYTES_MAX = 64;

/** Hot. */
function digitCount(value: number): number {
  let count = 1;
  for (let limit = 10; value >= limit; limit *= 10) count++;
  return count;
}
