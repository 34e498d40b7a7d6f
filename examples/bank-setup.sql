-- The tables of transfer.sql and statement.sql, for `prepare`. At most 100,000 accounts: --define=accounts=NUMBER
-- define: accounts = 10000

CREATE TABLE bank_accounts (
  id INT NOT NULL PRIMARY KEY,
  owner VARCHAR(20) NOT NULL,
  balance DECIMAL(12, 2) NOT NULL
) ENGINE = InnoDB;
CREATE TABLE bank_transfers (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  from_id INT NOT NULL,
  to_id INT NOT NULL,
  amount DECIMAL(12, 2) NOT NULL,
  KEY (from_id)
) ENGINE = InnoDB;

CREATE TABLE bank_digits (d INT NOT NULL PRIMARY KEY);
INSERT INTO bank_digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
INSERT INTO bank_accounts (id, owner, balance)
SELECT id, CONCAT('owner ', id), 1000
FROM (
  SELECT 1 + a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d AS id
  FROM bank_digits a, bank_digits b, bank_digits c, bank_digits e, bank_digits f
) numbers
WHERE id <= :accounts;
DROP TABLE bank_digits;
