-- Money goes from one account to another, unless the first has too little: then the transaction is rolled back, and
-- counted apart. Some accounts are used far more often than others, and permute() spreads these over the table.
--
--   sqldyno script --setup-file=bank-setup.sql prepare
--   sqldyno ./transfer.sql --threads=8 --time=30 run
-- define: accounts = 10000

\set from 1 + permute(random_zipfian(1, :accounts, 0.9), :accounts)
\set to random(1, :accounts)
\set amount random(1, 10000) / 100.0

BEGIN;
SELECT balance FROM bank_accounts WHERE id = :from FOR UPDATE \gset balance
\if :balance < :amount
  ROLLBACK;
\else
  -- statement: withdraw
  UPDATE bank_accounts SET balance = balance - :amount WHERE id = :from;
  -- statement: deposit
  UPDATE bank_accounts SET balance = balance + :amount WHERE id = :to;
  INSERT INTO bank_transfers (from_id, to_id, amount) VALUES (:from, :to, :amount);
  COMMIT;
\endif
