/** Command lines of benchmarks in a text: with a prompt before, broken over several lines, in whichever way. */
import type { CommandLine } from './facts.ts';

/** A command of more lines than this is a script. */
const LINES_MAX = 12;

const PROMPT = /^\s*(?:\$|#|%|>|\S{1,64}@\S{1,64}?[$#:]\s?\S{0,64}[$#]?)?\s*(?:(?:sudo|time|exec|nohup)\s+)*/;
const PROGRAM =
  /^(?:\S*\/)?(sysbench|tpcc\.lua|mysqlslap|mariadb-slap|load\.py|test-ATIS|go-tpc|pgbench|hammerdbcli)(?=\s|$)/;
const INTERPRETER = /^(?:python[\d.]*|perl|lua(?:jit)?)\s+/;
const VERBS = ['run', 'prepare', 'cleanup', 'prewarm', 'warmup', 'check', 'help'];

export function readCommands(lines: readonly string[]): CommandLine[] {
  const commands: CommandLine[] = [];
  for (let at = 0; at < lines.length; at++) {
    const start = startOf(lines[at] ?? '');
    if (start === undefined) continue;
    const { text, lastLine } = joined(lines, at, start);
    const command = parse(text, at + 1, lastLine);
    if (command === undefined) continue;
    commands.push(command);
    at = lastLine - 1;
  }
  return commands;
}

/** The line from the program's name on. */
function startOf(line: string): string | undefined {
  const rest = line.replace(PROMPT, '').replace(INTERPRETER, '');
  return PROGRAM.test(rest) ? rest : undefined;
}

function joined(lines: readonly string[], at: number, start: string): { text: string; lastLine: number } {
  let text = start.trimEnd();
  let next = at + 1;
  for (; next < lines.length && next - at < LINES_MAX; next++) {
    const line = (lines[next] ?? '').trim();
    if (text.endsWith('\\')) text = `${text.slice(0, -1)} ${line}`;
    // A page that wraps its text may break an option after its dashes.
    else if (/\s--?$/.test(text) && /^[a-z]/.test(line)) text += line;
    else if (isContinued(text, line)) text += ` ${line}`;
    else break;
  }
  return { text, lastLine: next };
}

/** Without a sign, a line goes on where options follow and the verb, which ends a command, has not been seen. */
function isContinued(text: string, line: string): boolean {
  if (VERBS.some((verb) => text.endsWith(` ${verb}`))) return false;
  return /^--?[a-z]/.test(line);
}

function parse(text: string, firstLine: number, lastLine: number): CommandLine | undefined {
  const program = PROGRAM.exec(text)?.[1];
  if (program === undefined) return undefined;
  // Placeholders such as <connection info> are no words of the command.
  const rest = text
    .slice(text.indexOf(program) + program.length)
    .replace(/<[^<>]*>/g, (found) => (/\s/.test(found) ? '' : 'X'));
  const words = rest.split(/\s+/).filter((word) => word !== '');
  const { options, others } = sorted(words);
  const isBare = options.size === 0 && !(program === 'load.py' && /^\d/.test(others[0] ?? ''));
  // A program's name that begins a sentence, or its banner, is no command.
  if (isBare && program !== 'test-ATIS') return undefined;
  const verb = others.find((word) => VERBS.includes(word));
  const script = scriptOf(program, others, options);
  return {
    program,
    ...(script === undefined ? {} : { script }),
    ...(verb === undefined ? {} : { verb }),
    options,
    words: others,
    firstLine,
    lastLine,
  };
}

function sorted(words: readonly string[]): { options: Map<string, string>; others: string[] } {
  const options = new Map<string, string>();
  const others: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const next = words[at + 1] ?? '-';
    const [, name, value = ''] = /^--?([A-Za-z][\w-]*)(?:=(.*))?$/.exec(word) ?? [];
    if (name === undefined) {
      others.push(word);
    } else if (/^-[A-Za-z]$/.test(word) && !next.startsWith('-')) {
      options.set(name, next);
      at++;
    } else {
      options.set(name.replaceAll('-', '_'), value.replace(/^["']|["']$/g, ''));
    }
  }
  return { options, others };
}

function scriptOf(program: string, words: readonly string[], options: ReadonlyMap<string, string>): string | undefined {
  if (program === 'tpcc.lua') return 'tpcc';
  if (program !== 'sysbench') return undefined;
  const word =
    options.get('test') ?? words.find((candidate) => !VERBS.includes(candidate) && /^[\w./-]+$/.test(candidate));
  const name = word
    ?.split('/')
    .at(-1)
    ?.replace(/\.lua$/, '');
  return name === '' ? undefined : name;
}
