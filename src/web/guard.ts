/**
 * Who may ask. The page is for the person who started the program: other users of the machine do not know the token,
 * other sites in the same browser are told apart by Origin and Host, and a name that resolves to 127.0.0.1 is not ours.
 */
import { timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { failure } from './failure.ts';

/** Nothing may run or be fetched but what this server itself gives out. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Results change under the same address, and a shared computer's browser should keep none of them.
  'cache-control': 'no-store',
};

/** The largest that is sent is the text of an experiment file. */
const BODY_BYTES_MAX = 256 * 1024;

export interface Door {
  readonly token: string;
  /** Known only when it listens. */
  port(): number;
}

export function withHeaders(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
  };
}

/** For everything, the page's own files included. */
export function onlyFromHere(door: Door): MiddlewareHandler {
  return async (context, next) => {
    const port = door.port();
    const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
    const host = context.req.header('host');
    if (host === undefined || !hosts.includes(host)) {
      return failure(context, 403, 'This server answers to 127.0.0.1 only, and was asked under another name.');
    }
    const origin = context.req.header('origin');
    if (origin !== undefined && origin !== `http://${host}`) {
      return failure(context, 403, 'Another site may not ask here.');
    }
    const site = context.req.header('sec-fetch-site');
    if (site !== undefined && site !== 'same-origin' && site !== 'none' && context.req.path.startsWith('/api/')) {
      return failure(context, 403, 'Another site may not ask here.');
    }
    return next();
  };
}

/** For all figures and all deeds. */
export function onlyWithToken(door: Door): MiddlewareHandler {
  const wanted = Buffer.from(`Bearer ${door.token}`);
  return async (context, next) => {
    const given = Buffer.from(context.req.header('authorization') ?? '');
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
      return failure(context, 401, 'The token is missing or wrong.', 'Open the address that sqldyno ui has printed.');
    }
    return next();
  };
}

/** A form of another site can neither name an origin of ours nor send JSON without asking first. */
export function onlyOwnDeeds(): MiddlewareHandler {
  return async (context, next) => {
    if (context.req.method === 'GET') return next();
    if (context.req.method !== 'POST') return failure(context, 405, 'Only GET and POST are understood.');
    if (context.req.header('origin') === undefined) {
      return failure(context, 403, 'What changes something must come from the page: there is no Origin.');
    }
    if (!/^application\/json(?:;|$)/.test(context.req.header('content-type') ?? '')) {
      return failure(context, 415, 'Only JSON is understood.');
    }
    return next();
  };
}

export function onlySmallBodies(): MiddlewareHandler {
  return bodyLimit({
    maxSize: BODY_BYTES_MAX,
    onError: (context) => failure(context, 413, `More than ${BODY_BYTES_MAX / 1024} KiB are not read.`),
  });
}
