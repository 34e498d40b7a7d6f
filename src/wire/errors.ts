/** How a connection or a statement fails. */

export type WireErrorKind =
  | 'refused' // nobody listens, or the host is unknown
  | 'timeout' // connect or read time limit reached
  | 'closed' // the server closed the connection unexpectedly
  | 'protocol' // bytes that the protocol does not allow
  | 'tls' // TLS could not be agreed on or verified
  | 'auth'; // no way to authenticate that both sides accept

/** The connection is over. */
export class WireError extends Error {
  readonly kind: WireErrorKind;

  constructor(kind: WireErrorKind, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'WireError';
    this.kind = kind;
  }
}

/** An ERR packet. After one in the command phase the connection goes on. */
export class ServerError extends Error {
  readonly code: number;
  readonly sqlState: string;
  /** Such as `ER_LOCK_DEADLOCK`; `ER_<code>` where the code is unknown here. */
  readonly symbol: string;

  constructor(error: { code: number; sqlState: string; symbol: string; message: string }) {
    super(error.message);
    this.name = 'ServerError';
    this.code = error.code;
    this.sqlState = error.sqlState;
    this.symbol = error.symbol;
  }
}
