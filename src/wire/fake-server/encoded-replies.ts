/** Replies already encoded, by the reply object and by what the encoding depends on. */
import { CAPABILITY } from '../constants.ts';
import { errorPayload, framePayloads, okPayload, type ReplyForm, rowsPayloads } from './encode.ts';
import type { ErrorReply, OkReply, RowsReply } from './reply.ts';

export type PlainReply = OkReply | ErrorReply | RowsReply;

/** The reply to a request of one packet begins with 1. */
const REPLY_SEQUENCE = 1;

const encodedReplies = new WeakMap<PlainReply, Map<number, Buffer>>();

/** Hot: two look-ups where the reply has been sent in this form before. */
export function encodedReply(reply: PlainReply, form: ReplyForm): Buffer {
  let forms = encodedReplies.get(reply);
  if (forms === undefined) {
    forms = new Map();
    encodedReplies.set(reply, forms);
  }
  const key = keyOf(form);
  let bytes = forms.get(key);
  if (bytes === undefined) {
    bytes = framePayloads(replyPayloads(reply, form), REPLY_SEQUENCE);
    forms.set(key, bytes);
  }
  return bytes;
}

export function replyPayloads(reply: PlainReply, form: ReplyForm): Buffer[] {
  switch (reply.is) {
    case 'ok':
      return [okPayload(reply, form)];
    case 'error':
      return [errorPayload(reply, form.capabilities)];
    case 'rows':
      return rowsPayloads(reply, form);
  }
}

/** Sixteen bits of status, then one bit for everything else that changes a byte. */
function keyOf(form: ReplyForm): number {
  return (
    form.status |
    (form.isBinary ? 1 << 16 : 0) |
    (form.cachesMetadata ? 1 << 17 : 0) |
    (form.sendsColumns ? 1 << 18 : 0) |
    (form.capabilities & CAPABILITY.DEPRECATE_EOF ? 1 << 19 : 0) |
    (form.capabilities & CAPABILITY.SESSION_TRACK ? 1 << 20 : 0) |
    (form.capabilities & CAPABILITY.PROTOCOL_41 ? 1 << 21 : 0)
  );
}
