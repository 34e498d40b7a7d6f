import { expect, test } from 'vitest';
import { EventReader } from './server-events.ts';

const TEXT =
  'event: snapshot\ndata: {"a":1}\n\n: still here\n\nevent: interval\ndata: one\ndata: two\n\ndata: bare\n\n';
const EVENTS = [
  { name: 'snapshot', data: '{"a":1}' },
  { name: 'interval', data: 'one\ntwo' },
  { name: 'message', data: 'bare' },
];

test('events are whole, however the text is cut', () => {
  for (let length = 1; length <= TEXT.length; length++) {
    const reader = new EventReader();
    const pieces = TEXT.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
    expect(pieces.flatMap((piece) => reader.push(piece))).toEqual(EVENTS);
  }
});

test('what has not ended is no event', () => {
  expect(new EventReader().push('event: interval\ndata: half\n')).toEqual([]);
});
