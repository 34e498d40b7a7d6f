/** Makes a running server's disk slow: strace holds up its system calls on their way back from the kernel. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

const FLUSHES = 'fsync,fdatasync';
const READS = 'pread64';

const US_PER_MS = 1000;

/** Some machines have no strace, and some containers do not let one process trace another. */
export function canSlowFlushes(): boolean {
  return spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
}

export function slowFlushes(pid: number, ms: number): Promise<AsyncDisposable> {
  return slowCalls(pid, FLUSHES, ms);
}

export function slowReads(pid: number, ms: number): Promise<AsyncDisposable> {
  return slowCalls(pid, READS, ms);
}

async function slowCalls(pid: number, calls: string, ms: number): Promise<AsyncDisposable> {
  const inject = `inject=${calls}:delay_exit=${ms * US_PER_MS}`;
  const words = ['-f', '-o', '/dev/null', '-p', String(pid), '-e', `trace=${calls}`, '-e', inject];
  const tracer = spawn('strace', words, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  const over = once(tracer, 'close');
  const attached = new Promise<void>((resolve) => {
    tracer.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('attached')) resolve();
    });
  });
  await Promise.race([attached, over]);
  if (!said.includes('attached')) throw new Error(`strace cannot trace the server: ${said}`);
  return {
    async [Symbol.asyncDispose]() {
      tracer.kill('SIGINT');
      await over;
    },
  };
}
