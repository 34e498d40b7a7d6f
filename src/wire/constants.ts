/** Numbers of the protocol, by the manuals' names (MySQL, "Client/Server Protocol"; MariaDB, "Connection"). */

/** "Capabilities Flags". Bit 31 and the MariaDB set are handled as unsigned 32-bit numbers: combine with `>>> 0`. */
export const CAPABILITY = {
  /** CLIENT_LONG_PASSWORD; MariaDB calls it CLIENT_MYSQL and clears it to say that its extended set follows. */
  LONG_PASSWORD: 1 << 0,
  FOUND_ROWS: 1 << 1,
  LONG_FLAG: 1 << 2,
  CONNECT_WITH_DB: 1 << 3,
  NO_SCHEMA: 1 << 4,
  COMPRESS: 1 << 5,
  ODBC: 1 << 6,
  LOCAL_FILES: 1 << 7,
  IGNORE_SPACE: 1 << 8,
  PROTOCOL_41: 1 << 9,
  INTERACTIVE: 1 << 10,
  SSL: 1 << 11,
  IGNORE_SIGPIPE: 1 << 12,
  TRANSACTIONS: 1 << 13,
  RESERVED: 1 << 14,
  SECURE_CONNECTION: 1 << 15,
  MULTI_STATEMENTS: 1 << 16,
  MULTI_RESULTS: 1 << 17,
  PS_MULTI_RESULTS: 1 << 18,
  PLUGIN_AUTH: 1 << 19,
  CONNECT_ATTRS: 1 << 20,
  PLUGIN_AUTH_LENENC_CLIENT_DATA: 1 << 21,
  CAN_HANDLE_EXPIRED_PASSWORDS: 1 << 22,
  SESSION_TRACK: 1 << 23,
  DEPRECATE_EOF: 1 << 24,
  OPTIONAL_RESULTSET_METADATA: 1 << 25,
  ZSTD_COMPRESSION_ALGORITHM: 1 << 26,
  QUERY_ATTRIBUTES: 1 << 27,
} as const;

/** MariaDB's further 32 capabilities, as sent in the last four filler bytes of greeting and response. */
export const MARIADB_CAPABILITY = {
  PROGRESS: 1 << 0,
  COM_MULTI: 1 << 1,
  STMT_BULK_OPERATIONS: 1 << 2,
  EXTENDED_METADATA: 1 << 3,
  /** MARIADB_CLIENT_CACHE_METADATA: the column count is followed by a byte that says whether the columns follow. */
  CACHE_METADATA: 1 << 4,
  BULK_UNIT_RESULTS: 1 << 5,
} as const;

/** "Command Phase": the first byte of a request. */
export const COMMAND = {
  QUIT: 0x01,
  INIT_DB: 0x02,
  QUERY: 0x03,
  FIELD_LIST: 0x04,
  STATISTICS: 0x09,
  PROCESS_KILL: 0x0c,
  PING: 0x0e,
  CHANGE_USER: 0x11,
  STMT_PREPARE: 0x16,
  STMT_EXECUTE: 0x17,
  STMT_SEND_LONG_DATA: 0x18,
  STMT_CLOSE: 0x19,
  STMT_RESET: 0x1a,
  SET_OPTION: 0x1b,
  STMT_FETCH: 0x1c,
  RESET_CONNECTION: 0x1f,
} as const;

/** The first byte of a reply. */
export const REPLY = {
  OK: 0x00,
  /** In the authentication phase: "Protocol::AuthMoreData". */
  AUTH_MORE_DATA: 0x01,
  LOCAL_INFILE: 0xfb,
  /** EOF, the OK that stands in its place with DEPRECATE_EOF, or "Protocol::AuthSwitchRequest". */
  EOF: 0xfe,
  ERR: 0xff,
} as const;

/** MYSQL_TYPE_*: "Column Type". */
export const COLUMN_TYPE = {
  DECIMAL: 0,
  TINY: 1,
  SHORT: 2,
  LONG: 3,
  FLOAT: 4,
  DOUBLE: 5,
  NULL: 6,
  TIMESTAMP: 7,
  LONGLONG: 8,
  INT24: 9,
  DATE: 10,
  TIME: 11,
  DATETIME: 12,
  YEAR: 13,
  NEWDATE: 14,
  VARCHAR: 15,
  BIT: 16,
  VECTOR: 242,
  JSON: 245,
  NEWDECIMAL: 246,
  ENUM: 247,
  SET: 248,
  TINY_BLOB: 249,
  MEDIUM_BLOB: 250,
  LONG_BLOB: 251,
  BLOB: 252,
  VAR_STRING: 253,
  STRING: 254,
  GEOMETRY: 255,
} as const;

/** "Column Definition Flags". */
export const COLUMN_FLAG = {
  NOT_NULL: 1,
  PRI_KEY: 2,
  UNIQUE_KEY: 4,
  MULTIPLE_KEY: 8,
  BLOB: 16,
  UNSIGNED: 32,
  ZEROFILL: 64,
  BINARY: 128,
  ENUM: 256,
  AUTO_INCREMENT: 512,
  TIMESTAMP: 1024,
  SET: 2048,
} as const;

/** In COM_STMT_EXECUTE the second byte of a parameter's type. */
export const PARAMETER_UNSIGNED = 0x80;

/** SERVER_STATUS_flags_enum. */
export const SERVER_STATUS = {
  IN_TRANS: 0x0001,
  AUTOCOMMIT: 0x0002,
  MORE_RESULTS_EXISTS: 0x0008,
  NO_GOOD_INDEX_USED: 0x0010,
  NO_INDEX_USED: 0x0020,
  CURSOR_EXISTS: 0x0040,
  LAST_ROW_SENT: 0x0080,
  DB_DROPPED: 0x0100,
  NO_BACKSLASH_ESCAPES: 0x0200,
  METADATA_CHANGED: 0x0400,
  QUERY_WAS_SLOW: 0x0800,
  PS_OUT_PARAMS: 0x1000,
  IN_TRANS_READONLY: 0x2000,
  SESSION_STATE_CHANGED: 0x4000,
} as const;

/** Collation numbers. All our connections use utf8mb4. */
export const CHARSET = {
  LATIN1: 8,
  UTF8MB3: 33,
  UTF8MB4_GENERAL_CI: 45,
  UTF8MB4_BIN: 46,
  /** No character set: bytes, and the charset of numbers and dates. */
  BINARY: 63,
  UTF8MB4_0900_AI_CI: 255,
} as const;

/** Lengths of the nonce in the greeting, and of that of client_ed25519. */
export const NONCE_LENGTH = 20;
export const ED25519_NONCE_LENGTH = 32;
