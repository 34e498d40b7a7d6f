-- A client looks at an account, thinks for a moment, and asks for its last transfers. Without BEGIN each statement
-- stands for itself.
-- name: account_statement
-- define: accounts = 10000

\set id random(1, :accounts)
SELECT owner, balance FROM bank_accounts WHERE id = :id;
\sleep random_exponential(1, 5, 2.0) ms
SELECT to_id, amount FROM bank_transfers WHERE from_id = :id ORDER BY id DESC LIMIT 10;
