/** What `script` runs when no file is named: small, and its own tables. */
import type { TableNeed } from '../workload.ts';
import type { ScriptFiles } from './options.ts';

/** Powers of two: each INSERT doubles the rows. */
const ACCOUNTS = 1_024;

const TRANSFER = `-- name: transfer
\\set from random_zipfian(1, ${ACCOUNTS}, 0.8)
\\set to random(1, ${ACCOUNTS})
\\set amount random(1, 100)
BEGIN;
SELECT balance FROM script_accounts WHERE id = :from;
UPDATE script_accounts SET balance = balance - :amount WHERE id = :from;
UPDATE script_accounts SET balance = balance + :amount WHERE id = :to;
INSERT INTO script_transfers (from_id, to_id, amount) VALUES (:from, :to, :amount);
COMMIT;
`;

const DOUBLINGS = Array.from({ length: Math.log2(ACCOUNTS) }, (_, doubling) => 2 ** doubling);

const SETUP = `CREATE TABLE script_accounts (id INT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL);
CREATE TABLE script_transfers (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, from_id INT NOT NULL, to_id INT NOT NULL, amount INT NOT NULL
);
INSERT INTO script_accounts (id, balance) VALUES (1, 1000);
${DOUBLINGS.map((rows) => `INSERT INTO script_accounts (id, balance) SELECT id + ${rows}, 1000 FROM script_accounts;\n`).join('')}`;

const TEARDOWN = `DROP TABLE IF EXISTS script_accounts;
DROP TABLE IF EXISTS script_transfers;
`;

export const EXAMPLE: ScriptFiles = {
  files: [{ file: 'example.sql', text: TRANSFER, weight: 1 }],
  setup: [{ file: 'example-setup.sql', text: SETUP }],
  teardown: [{ file: 'example-teardown.sql', text: TEARDOWN }],
};

export const EXAMPLE_TABLES: readonly TableNeed[] = [
  { name: 'script_accounts', columns: { id: 'int', balance: 'bigint' }, rowsMin: ACCOUNTS },
  { name: 'script_transfers', columns: { from_id: 'int', to_id: 'int', amount: 'int' }, rowsMin: 0 },
];
