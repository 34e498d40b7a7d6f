/** Certificates made by openssl for one test run: an authority, a server, a client, and what should be refused. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SECONDS_PER_DAY = 86_400;

export interface Certificates {
  readonly directory: string;
  path(file: string): string;
  pem(file: string): string;
}

/** Files in `directory`: ca.pem, server.pem/.key (for localhost), expired.pem/.key, client.pem/.key, other-ca.pem. */
export function makeCertificates(directory: string, nowS: number): Certificates {
  const openssl = (...parameters: string[]) => execFileSync('openssl', parameters, { cwd: directory, stdio: 'pipe' });
  const authority = (name: string) =>
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
    );
  const day = (offset: number) =>
    `${new Date((nowS + offset * SECONDS_PER_DAY) * 1000).toISOString().slice(2, 19).replace(/\D/g, '')}Z`;
  const leaf = (name: string, host: string, fromDay: number, toDay: number) => {
    openssl(
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      `/CN=${host}`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
    );
    writeFileSync(join(directory, `${name}.ext`), `subjectAltName=DNS:${host}\n`);
    openssl(
      ...['ca', '-batch', '-config', 'ca.cnf', '-in', `${name}.csr`, '-out', `${name}.pem`, '-notext'],
      ...['-extfile', `${name}.ext`, '-startdate', day(fromDay), '-enddate', day(toDay)],
    );
  };
  writeFileSync(join(directory, 'index.txt'), '');
  writeFileSync(join(directory, 'ca.cnf'), AUTHORITY_CONFIG);
  authority('ca');
  authority('other-ca');
  leaf('server', 'localhost', -1, 2);
  leaf('expired', 'localhost', -2, -1);
  leaf('client', 'client', -1, 2);
  return {
    directory,
    path: (file) => join(directory, file),
    pem: (file) => readFileSync(join(directory, file), 'utf8'),
  };
}

/** Only `openssl ca` can make a certificate that has expired already. */
const AUTHORITY_CONFIG = `
[ca]
default_ca = test
[test]
new_certs_dir = .
database = index.txt
rand_serial = yes
certificate = ca.pem
private_key = ca.key
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
`;
