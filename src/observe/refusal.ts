/** What a server refused to tell, with what would change it where rights lack. */
import { ServerError } from '../wire/errors.ts';

/** ER_DBACCESS_DENIED, ER_ACCESS_DENIED, ER_TABLEACCESS_DENIED, ER_COLUMNACCESS_DENIED, ER_SPECIFIC_ACCESS_DENIED. */
const DENIED = [1044, 1045, 1142, 1143, 1227];

/** `grant` as in GRANT: what is to be granted, and on what. */
export function refusalOf(error: Error, grant: string): string {
  if (!(error instanceof ServerError) || !DENIED.includes(error.code)) return error.message;
  return `${error.message.replace(/\.?$/, '.')} To see it: GRANT ${grant}.`;
}
