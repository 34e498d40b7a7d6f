/** One connection as packets: sequence numbers, TLS, and who gets what arrives. */
import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { packetCount, sequenceAfter } from '../bytes/frame.ts';
import { isSslRequest } from './decode.ts';
import { framePayloads } from './encode.ts';
import type { Fault } from './faults.ts';
import { Inbox, type InboxPacket } from './inbox.ts';
import { type Outbox, openOutbox } from './outbox.ts';

export interface LinkOptions {
  readonly faults: readonly Fault[];
  readonly secureContext: SecureContext | undefined;
  readonly requestsClientCertificate: boolean;
  /** A client that does what the protocol does not allow. */
  readonly onViolation: (what: string) => void;
}

/** The connection ended while a packet was awaited. */
export class LinkClosed extends Error {}

type PacketHandler = (packet: InboxPacket) => Promise<void> | undefined;
interface Waiting {
  readonly resolve: (payload: Buffer) => void;
  readonly reject: (error: Error) => void;
}

export class Link {
  bytesReceived = 0;
  tls: TLSSocket | undefined;
  /** Nothing more will arrive, and nothing is sent. */
  isClosed = false;
  #socket: Socket;
  readonly #options: LinkOptions;
  readonly #outbox: Outbox;
  readonly #inbox: Inbox;
  readonly #queue: InboxPacket[] = [];
  #waiting: Waiting | undefined;
  #handler: PacketHandler | undefined;
  #isBusy = false;
  #mayStartTls: boolean;
  #wantsTls = false;
  /** Of the next packet, either way. */
  #sequence = 0;

  constructor(socket: Socket, options: LinkOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#mayStartTls = options.secureContext !== undefined;
    this.#outbox = openOutbox(socket, options.faults);
    this.#inbox = new Inbox((packet) => this.#onPacket(packet));
    this.#listen(socket);
  }

  get bytesSent(): number {
    return this.#outbox.bytesSent;
  }

  /** One write; the sequence goes on from the last packet. */
  send(...payloads: readonly Uint8Array[]): void {
    this.#outbox.send(framePayloads(payloads, this.#sequence));
    for (const payload of payloads) this.#sequence = sequenceAfter(this.#sequence, packetCount(payload.length));
  }

  /** Hot: a whole reply with its headers. */
  sendEncoded(bytes: Uint8Array): void {
    this.#outbox.send(bytes);
  }

  /** A packet that no request asked for begins a sequence of its own. */
  startSequence(): void {
    this.#sequence = 0;
  }

  /** The next packet of the exchange that is under way. */
  receive(): Promise<Buffer> {
    if (this.isClosed) return Promise.reject(new LinkClosed());
    const queued = this.#queue.shift();
    if (queued !== undefined) return Promise.resolve(this.#inSequence(queued));
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  /** From now on every packet begins an exchange, and goes to the handler, one at a time. */
  serve(handler: PacketHandler): void {
    this.#mayStartTls = false;
    this.#handler = handler;
    this.#drain();
  }

  /** Closes when all is sent. */
  end(): void {
    this.#outbox.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #listen(socket: Socket): void {
    socket.on('data', this.#onData);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#onClose());
  }

  readonly #onData = (chunk: Buffer): void => {
    this.bytesReceived += chunk.length;
    this.#inbox.receive(chunk);
    if (this.#wantsTls) this.#startTls();
  };

  #onClose(): void {
    this.isClosed = true;
    this.#waiting?.reject(new LinkClosed());
    this.#waiting = undefined;
  }

  #onPacket(packet: InboxPacket): void {
    if (this.#mayStartTls && isSslRequest(packet.payload)) {
      this.#inSequence(packet);
      this.#wantsTls = true;
      this.#inbox.stop();
      return;
    }
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      this.#waiting = undefined;
      waiting.resolve(this.#inSequence(packet));
    } else if (this.#handler === undefined || this.#isBusy) {
      this.#queue.push(packet);
    } else {
      this.#dispatch(packet, this.#handler);
    }
  }

  #dispatch(packet: InboxPacket, handler: PacketHandler): void {
    if (packet.sequence !== 0) this.#options.onViolation(`a request began with sequence number ${packet.sequence}`);
    this.#sequence = packet.sequenceNext;
    const pending = handler(packet);
    if (pending === undefined) return;
    this.#isBusy = true;
    const goOn = () => {
      this.#isBusy = false;
      this.#drain();
    };
    pending.then(goOn, (error: unknown) => {
      if (!(error instanceof LinkClosed)) this.#options.onViolation(String(error));
      this.destroy();
    });
  }

  #drain(): void {
    while (!this.#isBusy && this.#handler !== undefined) {
      const packet = this.#queue.shift();
      if (packet === undefined) return;
      this.#dispatch(packet, this.#handler);
    }
  }

  #inSequence(packet: InboxPacket): Buffer {
    if (packet.sequence !== this.#sequence) {
      this.#options.onViolation(`sequence number ${packet.sequence} came where ${this.#sequence} was due`);
    }
    this.#sequence = packet.sequenceNext;
    return packet.payload;
  }

  /** The client's first TLS bytes may have come with the request: they go back into the socket. */
  #startTls(): void {
    this.#wantsTls = false;
    this.#mayStartTls = false;
    const rest = this.#inbox.resume();
    this.bytesReceived -= rest.length;
    this.#socket.off('data', this.#onData);
    this.#socket.pause();
    if (rest.length > 0) this.#socket.unshift(rest);
    const { secureContext, requestsClientCertificate } = this.#options;
    const secure = new TLSSocket(this.#socket, {
      isServer: true,
      requestCert: requestsClientCertificate,
      rejectUnauthorized: false,
      ...(secureContext === undefined ? {} : { secureContext }),
    });
    this.tls = secure;
    this.#socket = secure;
    this.#outbox.useSocket(secure);
    this.#listen(secure);
  }
}
