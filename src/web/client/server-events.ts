/**
 * Events of the server, read from a stream: `EventSource` cannot send the token. The format is that of
 * https://html.spec.whatwg.org/multipage/server-sent-events.html, as far as our own server writes it.
 */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** Text as it comes, in pieces of any size; whole events out. */
export class EventReader {
  #rest = '';

  push(text: string): ServerEvent[] {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap(eventOf);
  }
}

function eventOf(block: string): ServerEvent[] {
  const lines = block.split('\n');
  const field = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ''));
  const data = field('data');
  return data.length === 0 ? [] : [{ name: field('event').at(-1) ?? 'message', data: data.join('\n') }];
}
