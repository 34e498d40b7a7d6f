/**
 * One program under the same load as another, measured from outside over one window in mid-run: the statements by the
 * server's own counter, the CPU and memory by /proc. What either program says of itself is used for the 95th percentile
 * only.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../src/base/clock.ts';
import type { Connection } from '../src/wire/types.ts';
import { cpuNs, memoryPeakBytes } from './process-cost.ts';

export interface Window {
  readonly statementsPerS: number;
  readonly cpuUsPerStatement: number;
  readonly memoryPeakMb: number;
  readonly p95Ms: number;
}

export interface Contender {
  readonly command: string;
  readonly arguments: readonly string[];
}

/** From the first statements to the window: both programs are then past start-up, and V8 has compiled what is hot. */
const SETTLE_S = 1.5;
/** What the run is given beyond the window, so that it never ends inside it. */
const MARGIN_S = 1.5;
/** Of many connections the first are at work, and the time runs, long before the last have begun. */
const CONNECTIONS_PER_S = 200;
/** 1,024 connections are opened and prepared within this, or something is broken. */
const START_LIMIT_S = 90;

/** `--time` for a run that must hold the settling and the window. */
export function runTimeS(windowS: number, connections: number): number {
  return Math.ceil(SETTLE_S + windowS + MARGIN_S + connections / CONNECTIONS_PER_S);
}

async function executed(observer: Connection): Promise<number> {
  const { rows } = await observer.read(
    "SHOW GLOBAL STATUS WHERE Variable_name IN ('Com_stmt_execute', 'Com_commit', 'Com_begin')",
  );
  return Number(rows.find((row) => row[0] === 'Com_stmt_execute')?.[1] ?? 0);
}

async function untilLoaded(observer: Connection, child: ChildProcess, statements: number): Promise<void> {
  const before = await executed(observer);
  for (const began = monotonicMs(); monotonicMs() - began < START_LIMIT_S * 1000; ) {
    await sleep(100);
    if (child.exitCode !== null) throw new Error('The program ended before its load began.');
    if ((await executed(observer)) - before >= statements) return;
  }
  throw new Error(`No load within ${START_LIMIT_S} s.`);
}

/** Runs the contender once and measures it over `windowS` seconds. Its output goes into the error when it fails. */
export async function measure(
  contender: Contender,
  observer: Connection,
  options: { readonly threads: number; readonly windowS: number },
): Promise<Window> {
  const child = spawn(contender.command, contender.arguments, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  try {
    const pid = child.pid;
    if (pid === undefined) throw new Error(`Cannot start ${contender.command}.`);
    await untilLoaded(observer, child, options.threads * 2);
    await sleep(SETTLE_S * 1000);
    const first = { atMs: monotonicMs(), statements: await executed(observer), cpu: cpuNs(pid) };
    await sleep(options.windowS * 1000);
    const last = { atMs: monotonicMs(), statements: await executed(observer), cpu: cpuNs(pid) };
    const peak = memoryPeakBytes(pid);
    const code = await ended;
    if (code !== 0) throw new Error(`It ended with exit code ${code}.`);
    const statements = last.statements - first.statements;
    return {
      statementsPerS: (statements / (last.atMs - first.atMs)) * 1000,
      cpuUsPerStatement: Number(last.cpu - first.cpu) / 1000 / statements,
      memoryPeakMb: peak / 1e6,
      p95Ms: Number(/95th percentile:\s+([\d.]+)/.exec(output)?.[1] ?? Number.NaN),
    };
  } catch (error) {
    const shown = output.trim().split('\n').slice(-15).join('\n');
    const words = contender.arguments.filter((word) => !word.startsWith('--mysql-password'));
    throw new Error(`${contender.command} ${words.join(' ')}\n${shown}`, { cause: error });
  } finally {
    if (child.exitCode === null) child.kill('SIGKILL');
    await ended;
  }
}
