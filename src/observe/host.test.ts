import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { hostFacts, isThisHost } from './host.ts';

test('tells what the client runs on', () => {
  const facts = hostFacts();
  expect(facts).toMatchObject({
    os: expect.stringMatching(/./),
    cpu: expect.stringMatching(/./),
    kernel: expect.stringMatching(/./),
  });
  expect(facts['cores']).toBeGreaterThan(0);
  expect(facts['memoryBytes']).toBeGreaterThan(0);
});

test.each([
  { address: '/run/mysqld/mysqld.sock', server: undefined, is: true, because: 'a Unix socket leads nowhere else' },
  { address: '127.0.0.1', server: 'other', is: true, because: 'loopback' },
  { address: '::1', server: undefined, is: true, because: 'loopback' },
  { address: 'localhost', server: undefined, is: true, because: 'loopback by name' },
  { address: '192.0.2.7', server: hostname(), is: true, because: 'the server says so' },
  { address: '192.0.2.7', server: 'db.example.com', is: false, because: 'it is another' },
  { address: 'localhost.example.com', server: undefined, is: false, because: 'only begins like it' },
])('$address, server on $server: $is, $because', ({ address, server, is }) => {
  expect(isThisHost(address, server)).toBe(is);
});
