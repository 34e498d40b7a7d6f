/**
 * What makes runs comparable, as short keys: the same machine, and the same work. Both are plain names of files, of
 * which the readable beginning is for people and the end tells apart.
 */
import { createHash } from 'node:crypto';
import type { RunRecord } from '../model/run.ts';

type KeyedRecord = Pick<RunRecord, 'workload' | 'load' | 'target' | 'host' | 'environment'>;
type Facts = Readonly<Record<string, unknown>>;

const HASH_LENGTH = 10;
const NAME_LENGTH_MAX = 40;
const GIB = 1_073_741_824;

/**
 * Of the machine under the server and the one that loads it. What an update changes (kernel, versions) is not part of
 * it, nor what a container draws anew at each start: its name.
 */
export function machineKeyOf(record: KeyedRecord): string {
  return keyOf(readableMachine(record), [serverMachine(record), clientMachine(record)]);
}

/** Of the workload with its options and the load with its length: what must be the same for noise to be the same. */
export function workloadKeyOf({ workload, load }: KeyedRecord): string {
  const { mode, threads, timeS, events, eventsPerThread, warmupS, isWarmupAuto, terminals, terminalTimeFactor } = load;
  const { ratePerS, arrivals, randType, rand, preparedStatements } = load;
  const warmup = isWarmupAuto === true ? 'auto' : warmupS;
  const howLong = { timeS, events, eventsPerThread, warmup };
  const pace = { mode, threads, terminals, terminalTimeFactor, ratePerS, arrivals };
  return keyOf(workload.name, [workload.name, workload.options, howLong, pace, randType, rand, preparedStatements]);
}

/** Of the server's host where it was seen, else of the client's. */
export function hostNameOf({ environment }: KeyedRecord): string | undefined {
  const name = environment?.host['hostname'] ?? environment?.client['hostname'];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function readableMachine(record: KeyedRecord): string {
  const facts = record.environment?.host ?? {};
  const name = isContained(facts) ? facts['cpu.model'] : hostNameOf(record);
  return String(name ?? record.host['cpu'] ?? 'machine');
}

function serverMachine({ environment, target }: KeyedRecord): unknown {
  const facts = environment?.host ?? {};
  // The host was not seen, so the address must do; a socket is on the client's machine, wherever it lies.
  if (facts['cpu.model'] === undefined) return target.address.startsWith('/') ? 'here' : target.address;
  return machineOf(facts);
}

function clientMachine({ environment, host }: KeyedRecord): unknown {
  const facts = environment?.client ?? {};
  if (facts['cpu.model'] !== undefined) return machineOf(facts);
  return { model: host['cpu'], cores: host['cores'], memoryGib: gibOf(host['memoryBytes']) };
}

function machineOf(facts: Facts): unknown {
  return {
    name: isContained(facts) ? undefined : facts['hostname'],
    model: facts['cpu.model'],
    threads: facts['cpu.threads'],
    memoryGib: gibOf(facts['memory.totalBytes']),
    hypervisor: facts['virtualization.hypervisor'],
    architecture: facts['architecture'],
  };
}

function isContained(facts: Facts): boolean {
  const container = facts['virtualization.container'];
  return typeof container === 'string' && container !== 'none';
}

/** Firmware and kernels keep a little more or less for themselves from one version to the next. */
function gibOf(bytes: unknown): number | undefined {
  return typeof bytes === 'number' ? Math.round(bytes / GIB) : undefined;
}

function keyOf(name: string, value: unknown): string {
  const plain = name.replaceAll(/[^a-zA-Z0-9_-]+/g, '_').slice(0, NAME_LENGTH_MAX);
  const hash = createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex');
  return `${plain}-${hash.slice(0, HASH_LENGTH)}`;
}

/** The order in which options were written makes no difference. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}
