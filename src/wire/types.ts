/** What the rest of the program sees of the protocol. Read this before `connection.ts`. */
import type { Readable } from 'node:stream';

export const SSL_MODES = ['DISABLED', 'PREFERRED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'] as const;
export type SslMode = (typeof SSL_MODES)[number];

export interface ConnectOptions {
  /** A Unix socket's path; where given, host and port are not used. */
  readonly socketPath?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user: string;
  readonly password: string;
  readonly database?: string;
  readonly sslMode: SslMode;
  /** PEM texts, not paths: wire reads no files. */
  readonly sslCa?: string;
  readonly sslCert?: string;
  readonly sslKey?: string;
  readonly tlsVersionMin?: 'TLSv1.2' | 'TLSv1.3';
  /** RSA public key (PEM) of the server; without it the key is asked for where `allowPublicKeyRetrieval`. */
  readonly serverPublicKey?: string;
  readonly allowPublicKeyRetrieval?: boolean;
  /** Covers TCP/socket connect, TLS and authentication together. */
  readonly connectTimeoutMs?: number;
  /** Longest silence while a reply is awaited; 0 or absent: none. */
  readonly readTimeoutMs?: number;
  readonly multiStatements?: boolean;
  /** CLIENT_FOUND_ROWS: affected rows count matched rows. Default false, as sysbench. */
  readonly foundRows?: boolean;
  /** What `SHOW PROCESSLIST` and performance_schema may know of us. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** The socket is connected, and nothing has been said yet. */
  readonly onReached?: () => void;
}

export type ServerFlavor = 'mysql' | 'mariadb';

export interface ServerInfo {
  readonly flavor: ServerFlavor;
  /** As greeted, MariaDB's `5.5.5-` prefix removed. */
  readonly version: string;
  readonly connectionId: number;
  readonly capabilities: number;
  /** Cipher and version where the connection is encrypted. */
  readonly tls: { readonly version: string; readonly cipher: string } | undefined;
}

/**
 * BIGINT beyond 2^53 as bigint, smaller integers as number; DECIMAL, DATE, TIME, DATETIME, JSON as text; BLOB, BINARY,
 * BIT, GEOMETRY as bytes.
 */
export type SqlValue = null | number | bigint | string | Uint8Array;
/** Numbers that are safe integers go as integers, other numbers as DOUBLE. */
export type SqlParameter = SqlValue | boolean;

export interface Column {
  readonly name: string;
  readonly table: string;
  readonly schema: string;
  /** MYSQL_TYPE_*, see `constants.ts`. */
  readonly type: number;
  readonly flags: number;
  readonly charset: number;
  readonly length: number;
  readonly decimals: number;
}

/** What one statement did. One object per connection is reused: copy what must outlive the next statement. */
export interface Outcome {
  /** True where the server sent a result set, even an empty one. */
  hasRows: boolean;
  rowCount: number;
  /** As the server reported them; -1 never occurs. Above 2^53 rounded. */
  affectedRows: number;
  lastInsertId: number;
  warningCount: number;
  /** SERVER_STATUS_*, such as SERVER_STATUS_IN_TRANS = 1. */
  status: number;
}

export interface ResultSet extends Outcome {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly SqlValue[])[];
}

/** Hot: called synchronously from the socket's read callback, once per statement. Must not throw. */
export interface ReplyHandler {
  onReply(outcome: Outcome): void;
  /** A `ServerError` leaves the connection usable; any other `WireError` has ended it. */
  onFailure(error: Error): void;
}

export interface Statement {
  readonly sql: string;
  readonly parameterCount: number;
  readonly columns: readonly Column[];
  /** Hot: sends COM_STMT_EXECUTE; rows are counted, not decoded. */
  send(parameters: readonly SqlParameter[], handler: ReplyHandler): void;
  execute(parameters?: readonly SqlParameter[]): Promise<Outcome>;
  /** Like execute, with the rows decoded. */
  read(parameters?: readonly SqlParameter[]): Promise<ResultSet>;
  /** Of a CALL: its result sets, the OUT parameters as one with SERVER_STATUS_PS_OUT_PARAMS, and the final status. */
  readAll(parameters?: readonly SqlParameter[]): Promise<ResultSet[]>;
  /** COM_STMT_CLOSE: the server sends no answer. */
  close(): void;
}

export interface Connection extends AsyncDisposable {
  readonly server: ServerInfo;
  readonly isOpen: boolean;
  /**
   * Hot: sends COM_QUERY; rows are counted, not decoded. With several statements in `sql` the handler is called once,
   * after the last: rows and affected rows are summed.
   */
  send(sql: string | Uint8Array, handler: ReplyHandler): void;
  execute(sql: string | Uint8Array, options?: QueryOptions): Promise<Outcome>;
  /** One result; with several statements in `sql` use `readAll`. */
  read(sql: string, options?: QueryOptions): Promise<ResultSet>;
  readAll(sql: string, options?: QueryOptions): Promise<ResultSet[]>;
  prepare(sql: string): Promise<Statement>;
  ping(): Promise<void>;
  /** COM_RESET_CONNECTION. */
  reset(): Promise<void>;
  /** Sends COM_QUIT and resolves when the socket has closed. */
  close(): Promise<void>;
  /** Drops the socket at once; a statement in flight fails. */
  destroy(because?: Error): void;
  /** Bytes since connect, before TLS, packet headers included: as the server counts Bytes_received and Bytes_sent. */
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** Called once when the connection ends for whatever reason, also between statements. */
  onEnd: ((because: Error | undefined) => void) | undefined;
}

export interface QueryOptions {
  /** Answers LOAD DATA LOCAL INFILE of this very statement. A server asking without it is refused. */
  readonly infile?: Readable;
}
