/** The answer to COM_STMT_PREPARE ("COM_STMT_PREPARE_OK"): a head, the parameters' definitions, the columns'. */
import { PacketReader } from '../bytes/reader.ts';
import { REPLY } from '../constants.ts';
import { readColumn } from '../packets.ts';
import type { Column } from '../types.ts';
import { isEofPacket, malformed } from './reply-packets.ts';

const HEAD_LENGTH_MIN = 12;

export interface Prepared {
  readonly id: number;
  readonly parameterCount: number;
  readonly columns: readonly Column[];
}

type Due = 'head' | 'parameter' | 'end of parameters' | 'column' | 'end of columns';

export class PrepareReply implements Prepared {
  readonly #deprecatesEof: boolean;
  #due: Due = 'head';
  #left = 0;
  #columnCount = 0;
  id = 0;
  parameterCount = 0;
  columns: Column[] = [];

  constructor(deprecatesEof: boolean) {
    this.#deprecatesEof = deprecatesEof;
  }

  /** Takes in the next packet, which is no ERR. True: it was the last. */
  onPacket(buffer: Buffer, start: number, end: number): boolean {
    switch (this.#due) {
      case 'head':
        this.#readHead(new PacketReader(buffer, start, end));
        return this.#begin('parameter', this.parameterCount);
      case 'parameter':
        // Servers do not know the types before the values come: all of these say the same.
        return this.#endOfOne('end of parameters');
      case 'column':
        this.columns.push(readColumn(new PacketReader(buffer, start, end)));
        return this.#endOfOne('end of columns');
      default:
        if (!isEofPacket(buffer, start, end)) throw malformed('is no EOF where one is due');
        return this.#endOfList();
    }
  }

  #readHead(reader: PacketReader): void {
    const isHead = reader.remaining >= HEAD_LENGTH_MIN && reader.u8() === REPLY.OK;
    if (!isHead) throw malformed('is no answer to a prepare');
    this.id = reader.u32();
    this.#columnCount = reader.u16();
    this.parameterCount = reader.u16();
  }

  /** A list without entries has no EOF either. */
  #begin(due: 'parameter' | 'column', count: number): boolean {
    this.#due = due;
    this.#left = count;
    return count === 0 && this.#endOfList();
  }

  #endOfOne(then: 'end of parameters' | 'end of columns'): boolean {
    if (--this.#left > 0) return false;
    if (this.#deprecatesEof) return this.#endOfList();
    this.#due = then;
    return false;
  }

  #endOfList(): boolean {
    const isLast = this.#due === 'column' || this.#due === 'end of columns';
    return isLast || this.#begin('column', this.#columnCount);
  }
}
