/** /proc/cpuinfo: what the processors are. Each architecture writes it its own way. */
import { known } from './text.ts';

export interface CpuIdentity {
  readonly model?: string;
  readonly vendor?: string;
  /** Logical processors. */
  readonly threads?: number;
  /** Physical cores, where the kernel tells sockets and cores apart. */
  readonly cores?: number;
  readonly sockets?: number;
  readonly flags: ReadonlySet<string>;
  /** Where no other file tells it. */
  readonly architecture?: string;
  readonly microcode?: string;
}

export function parseCpuinfo(text: string): CpuIdentity {
  const blocks = text.split(/\n\s*\n/).map(fieldsOf);
  const processors = blocks.filter((block) => /^\d+$/.test(block.get('processor') ?? ''));
  const first = processors[0];
  const anywhere = (...names: readonly string[]) => {
    for (const name of names) {
      const value = blocks.map((block) => block.get(name)).find((found) => found !== undefined && found !== '');
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const cores = new Set(
    processors.filter((each) => each.has('core id')).map((each) => `${each.get('physical id')}/${each.get('core id')}`),
  );
  const sockets = new Set(processors.map((each) => each.get('physical id')).filter((id) => id !== undefined));
  const flags = (first?.get('flags') ?? first?.get('Features') ?? '').split(/\s+/).filter((flag) => flag !== '');
  return {
    flags: new Set(flags),
    ...known<Omit<CpuIdentity, 'flags'>>({
      // ARM has numbers, and on 32 bits a `model name` that says less; POWER writes `cpu`, MIPS `cpu model`.
      model: armCore(first) ?? anywhere('model name', 'cpu model', 'cpu', 'uarch'),
      vendor: anywhere('vendor_id') ?? armImplementer(first),
      threads: processors.length === 0 ? undefined : processors.length,
      cores: cores.size === 0 ? undefined : cores.size,
      sockets: sockets.size === 0 ? undefined : sockets.size,
      architecture: architectureOf(first, flags),
      microcode: anywhere('microcode'),
    }),
  };
}

function fieldsOf(block: string): Map<string, string> {
  const pairs = block.split('\n').map((line) => /^([^:]+?)\s*:\s*(.*?)\s*$/.exec(line));
  return new Map(pairs.filter((match) => match !== null).map((match) => [match[1]!, match[2]!]));
}

/** Main ID Register of the Arm Architecture Reference Manual; as lscpu names them. */
const IMPLEMENTERS: Readonly<Record<string, string>> = {
  '0x41': 'ARM',
  '0x43': 'Cavium',
  '0x46': 'Fujitsu',
  '0x48': 'HiSilicon',
  '0x4e': 'NVIDIA',
  '0x50': 'Ampere (APM)',
  '0x51': 'Qualcomm',
  '0x61': 'Apple',
  '0xc0': 'Ampere',
};

/** The ones of boards and clouds that run databases; another is told by its number. */
const ARM_CORES: Readonly<Record<string, string>> = {
  '0xb76': 'ARM1176',
  '0xc07': 'Cortex-A7',
  '0xc08': 'Cortex-A8',
  '0xc09': 'Cortex-A9',
  '0xd03': 'Cortex-A53',
  '0xd04': 'Cortex-A35',
  '0xd05': 'Cortex-A55',
  '0xd07': 'Cortex-A57',
  '0xd08': 'Cortex-A72',
  '0xd09': 'Cortex-A73',
  '0xd0a': 'Cortex-A75',
  '0xd0b': 'Cortex-A76',
  '0xd0c': 'Neoverse-N1',
  '0xd40': 'Neoverse-V1',
  '0xd49': 'Neoverse-N2',
  '0xd4f': 'Neoverse-V2',
};

function armImplementer(first: ReadonlyMap<string, string> | undefined): string | undefined {
  const code = first?.get('CPU implementer')?.toLowerCase();
  return code === undefined ? undefined : (IMPLEMENTERS[code] ?? `implementer ${code}`);
}

function armCore(first: ReadonlyMap<string, string> | undefined): string | undefined {
  const implementer = first?.get('CPU implementer')?.toLowerCase();
  const part = first?.get('CPU part')?.toLowerCase();
  if (part === undefined) return undefined;
  return (implementer === '0x41' ? ARM_CORES[part] : undefined) ?? `${armImplementer(first) ?? 'ARM'} part ${part}`;
}

function architectureOf(first: ReadonlyMap<string, string> | undefined, flags: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  // `lm`, long mode, is the 64-bit mode of x86.
  if (first.has('flags')) return flags.includes('lm') ? 'x86_64' : 'i686';
  const arm = first.get('CPU architecture');
  // A 64-bit kernel names its features so; a 32-bit one on the same core says `neon` and `vfp`.
  if (arm !== undefined) return flags.includes('asimd') && !flags.includes('neon') ? 'aarch64' : 'armv7l';
  if (first.has('isa')) return first.get('isa')?.startsWith('rv64') === true ? 'riscv64' : 'riscv32';
  return undefined;
}
