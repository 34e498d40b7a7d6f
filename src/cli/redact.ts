/** Takes secrets out of what is stored, shown or visible in the process list. */
import { canonicalName } from '../base/options-parse.ts';

const HIDDEN = '***';
const SECRET_OPTIONS = new Set(['mysql_password', 'pgsql_password', 'password']);

/** The command line as it may be kept: in a record, in a message. */
export function redactCommand(args: readonly string[]): string[] {
  return args.map((arg) => {
    // As the mysql client takes it, in the command lines of other programs.
    const short = /^(-[asvC]*p)./s.exec(arg)?.[1];
    if (short !== undefined) return `${short}${HIDDEN}`;
    const option = /^(--[^=]+)=(.*)$/s.exec(arg);
    if (option === null) return redactUrl(arg);
    const [, key, value] = option as unknown as [string, string, string];
    if (isSecret(canonicalName(key))) return `${key}=${HIDDEN}`;
    return `${key}=${redactUrl(value)}`;
  });
}

/** Other programs take the beginning of a name too: `--pass=secret`. */
function isSecret(name: string): boolean {
  return SECRET_OPTIONS.has(name) || (name.length > 2 && 'password'.startsWith(name));
}

/** `mysql://ben:secret@host/` becomes `mysql://ben:***@host/`. The last `@` ends the secret. */
function redactUrl(text: string): string {
  return text.replace(/^([a-z]+:\/\/[^:/@]*):.*@/is, `$1:${HIDDEN}@`);
}
