import { expect, test } from 'vitest';
import { grantFor } from './knob-settings.ts';

test.each([
  { flavor: 'mysql', version: '5.7.44', grant: "GRANT SUPER ON *.* TO 'ben'@'%';" },
  { flavor: 'mysql', version: '8.0.36', grant: "GRANT SYSTEM_VARIABLES_ADMIN ON *.* TO 'ben'@'%';" },
  { flavor: 'mysql', version: '26.7.0', grant: "GRANT SYSTEM_VARIABLES_ADMIN ON *.* TO 'ben'@'%';" },
  { flavor: 'mariadb', version: '10.11.19-MariaDB', grant: "GRANT SUPER, BINLOG ADMIN ON *.* TO 'ben'@'%';" },
] as const)('$flavor $version: $grant', ({ flavor, version, grant }) => {
  expect(grantFor({ flavor, version }, "'ben'@'%'")).toBe(grant);
});
