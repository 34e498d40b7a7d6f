/** Authentication plugins: vectors computed elsewhere (Python's hashlib, the MariaDB manual), and what they refuse. */
import { constants, createPublicKey, generateKeyPairSync, privateDecrypt, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { WireError } from '../errors.ts';
import { signWithPassword } from './ed25519.ts';
import type { AuthContext } from './plugin.ts';
import { authPlugin, greetedPlugin } from './plugins.ts';
import { xor } from './xor.ts';

/** Bytes 1 to 20, and the closing zero that servers send. */
const NONCE = Buffer.from([...Array.from({ length: 20 }, (_, index) => index + 1), 0]);

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string;

function context(overrides: Partial<AuthContext> = {}): AuthContext {
  return {
    password: Buffer.from('secret'),
    nonce: NONCE,
    isEncrypted: false,
    isPrivate: false,
    serverPublicKey: undefined,
    allowPublicKeyRetrieval: false,
    ...overrides,
  };
}

const hex = (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : Buffer.from(bytes).toString('hex'));

function decrypted(answer: Uint8Array | undefined): string {
  const options = { key: rsa.privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' };
  return xor(privateDecrypt(options, answer!), NONCE.subarray(0, 20)).toString('utf8');
}

describe('scrambles', () => {
  test.each([
    { plugin: 'mysql_native_password', password: 'secret', answer: 'b32bb3a583e1340c0a1108d58b1be49781ad8c2f' },
    { plugin: 'mysql_native_password', password: 'pässwörd €', answer: 'e5dcb13ec93f3156f293ca4b4ad7245c5260dc3e' },
    {
      plugin: 'caching_sha2_password',
      password: 'secret',
      answer: '746ebe205d56a0707acb3e796e834e0dd7b1d61743b26bd5202c7a623230c7c9',
    },
    {
      plugin: 'caching_sha2_password',
      password: 'pässwörd €',
      answer: '1032b4cde18391fa9bd4c37f587e8d123f8b73850719c7b01fcfc94377eaa4b4',
    },
  ])('$plugin of $password', ({ plugin, password, answer }) => {
    expect(hex(authPlugin(plugin)(context({ password: Buffer.from(password) })).first)).toBe(answer);
  });

  test.each([
    { plugin: 'mysql_native_password', answer: '', because: 'nothing stands for no password' },
    { plugin: 'caching_sha2_password', answer: '', because: 'nothing stands for no password' },
    { plugin: 'client_ed25519', answer: '', because: 'there is no key to sign with' },
    { plugin: 'sha256_password', answer: '00', because: 'the closing zero alone' },
  ])('$plugin without a password: $because', ({ plugin, answer }) => {
    const nonce = plugin === 'client_ed25519' ? Buffer.alloc(32, 1) : NONCE;
    expect(hex(authPlugin(plugin)(context({ password: Buffer.alloc(0), nonce })).first)).toBe(answer);
  });

  test.each(['mysql_native_password', 'caching_sha2_password', 'client_ed25519'])(
    '%s refuses a short nonce',
    (plugin) => {
      expect(() => authPlugin(plugin)(context({ nonce: Buffer.alloc(8, 1) }))).toThrow('too short');
    },
  );
});

describe('caching_sha2_password', () => {
  const begin = (overrides: Partial<AuthContext> = {}) => authPlugin('caching_sha2_password')(context(overrides));
  const fast = Buffer.of(3);
  const full = Buffer.of(4);

  test('fast: nothing more to say', () => {
    expect(begin().more(fast)).toBeUndefined();
  });

  test('full over TLS or a Unix socket: the password in clear', () => {
    expect(hex(begin({ isPrivate: true }).more(full))).toBe(`${Buffer.from('secret').toString('hex')}00`);
  });

  test('full elsewhere with a key at hand: encrypted at once', () => {
    expect(decrypted(begin({ serverPublicKey: PEM }).more(full))).toBe('secret\0');
  });

  test('full elsewhere with a key from the server, if that is allowed', () => {
    const exchange = begin({ allowPublicKeyRetrieval: true });
    expect(hex(exchange.more(full))).toBe('02');
    expect(decrypted(exchange.more(Buffer.from(PEM)))).toBe('secret\0');
    expect(() => exchange.more(full)).toThrow(WireError);
  });

  test('full elsewhere without a key is refused, and says what to do', () => {
    expect(() => begin().more(full)).toThrow(/Use TLS, give the key, or allow its retrieval/);
  });

  test.each([{ data: Buffer.of(5) }, { data: Buffer.alloc(0) }, { data: Buffer.of(3, 3) }])(
    'other data: $data',
    ({ data }) => {
      expect(() => begin({ isPrivate: true }).more(data)).toThrow(WireError);
    },
  );

  test('the password goes out once only', () => {
    const exchange = begin({ isPrivate: true });
    exchange.more(full);
    expect(() => exchange.more(full)).toThrow(WireError);
  });
});

describe('sha256_password', () => {
  const begin = (overrides: Partial<AuthContext> = {}) => authPlugin('sha256_password')(context(overrides));

  test('in clear over TLS', () => {
    expect(Buffer.from(begin({ isEncrypted: true, isPrivate: true }).first).toString()).toBe('secret\0');
  });

  test('not in clear over a Unix socket: the manual asks for TLS or RSA', () => {
    expect(() => begin({ isPrivate: true })).toThrow('RSA public key');
  });

  test('with a key at hand', () => {
    expect(decrypted(begin({ serverPublicKey: PEM }).first)).toBe('secret\0');
  });

  test('with a key from the server, if that is allowed', () => {
    const exchange = begin({ allowPublicKeyRetrieval: true });
    expect(hex(exchange.first)).toBe('01');
    expect(decrypted(exchange.more(Buffer.from(PEM)))).toBe('secret\0');
    expect(() => exchange.more(Buffer.from(PEM))).toThrow(WireError);
  });

  test('something that is no key', () => {
    const exchange = begin({ allowPublicKeyRetrieval: true });
    expect(() => exchange.more(Buffer.from('no key'))).toThrow('is it the right key');
  });
});

describe('mysql_clear_password', () => {
  test('over TLS', () => {
    const exchange = authPlugin('mysql_clear_password')(context({ isEncrypted: true, isPrivate: true }));
    expect(Buffer.from(exchange.first).toString()).toBe('secret\0');
    expect(() => exchange.more(Buffer.of(1))).toThrow(WireError);
  });

  test('nowhere else, not even over a Unix socket', () => {
    expect(() => authPlugin('mysql_clear_password')(context({ isPrivate: true }))).toThrow('not encrypted');
  });
});

describe('client_ed25519', () => {
  /** RFC 8410: an Ed25519 public key in SPKI is these twelve bytes and the key. */
  const keyOf = (base64: string) =>
    createPublicKey({
      key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(base64, 'base64')]),
      format: 'der',
      type: 'spki',
    });

  // The manual's example (MariaDB, "Authentication Plugin - ed25519"): the stored key of the password 'secret'.
  const SECRET_KEY = 'ZIgUREUg5PVgQ6LskhXmO+eZLS0nC8be6HPjYWR4YJY';

  test('its signature verifies under the key that servers store for the password', () => {
    for (let round = 0; round < 20; round++) {
      const nonce = Buffer.alloc(32, round);
      const { first } = authPlugin('client_ed25519')(context({ nonce: Buffer.concat([nonce, Buffer.of(0)]) }));
      expect(first).toHaveLength(64);
      expect(verify(null, nonce, keyOf(SECRET_KEY), first)).toBe(true);
    }
  });

  test('another password does not', () => {
    const nonce = Buffer.alloc(32, 1);
    expect(verify(null, nonce, keyOf(SECRET_KEY), signWithPassword(Buffer.from('secret '), nonce))).toBe(false);
  });
});

describe('which plugin', () => {
  test.each([
    { greeted: 'mysql_native_password', used: 'mysql_native_password', because: 'as greeted' },
    { greeted: 'caching_sha2_password', used: 'caching_sha2_password', because: 'as greeted' },
    { greeted: 'sha256_password', used: 'mysql_native_password', because: 'a password goes out only when asked for' },
    {
      greeted: 'mysql_clear_password',
      used: 'mysql_native_password',
      because: 'a password goes out only when asked for',
    },
    { greeted: 'client_ed25519', used: 'mysql_native_password', because: 'the greeting has no nonce for it' },
    { greeted: '', used: 'mysql_native_password', because: 'old servers name none' },
  ])('greeted with "$greeted": $because', ({ greeted, used }) => {
    expect(greetedPlugin(greeted)).toBe(used);
  });

  test.each([
    { name: 'dialog', text: "plugin 'dialog', which is not supported. Give this user one of: mysql_native_password" },
    { name: 'mysql_old_password', text: 'hash of MySQL 4.0' },
    { name: `\x1b[2J${'x'.repeat(200)}`, text: `plugin '?[2J${'x'.repeat(60)}'` },
  ])('$text', ({ name, text }) => {
    expect(() => authPlugin(name)).toThrow(
      expect.objectContaining({ kind: 'auth', message: expect.stringContaining(text) }),
    );
  });
});
