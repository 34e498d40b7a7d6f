/** What machine the client runs on. */
import { existsSync, readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, hostname, release, totalmem, type } from 'node:os';

export function hostFacts(): Readonly<Record<string, string | number>> {
  const limitBytes = process.constrainedMemory();
  const governor = textOf('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor');
  const model = textOf('/proc/device-tree/model');
  return {
    os: distributionName() ?? `${type()} ${release()}`,
    kernel: `${type()} ${release()}`,
    architecture: arch(),
    cpu: cpuModel(),
    cores: cpus().length,
    coresUsable: availableParallelism(),
    memoryBytes: totalmem(),
    ...(limitBytes > 0 && limitBytes < totalmem() ? { memoryLimitBytes: limitBytes } : {}),
    container: containerKind(),
    ...(governor === undefined ? {} : { cpuGovernor: governor }),
    ...(model === undefined ? {} : { machine: model.replaceAll('\0', '') }),
  };
}

/** `address` is a socket's path or a host name; `serverHostname` what the server calls its host. */
export function isThisHost(address: string, serverHostname: string | undefined): boolean {
  if (address.startsWith('/')) return true;
  if (isLoopback(address)) return true;
  return serverHostname !== undefined && serverHostname.toLowerCase() === hostname().toLowerCase();
}

export function isLoopback(address: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|::1|\[::1\])$/i.test(address);
}

/** Node knows no model on ARM; there the kernel names the implementer's part only, so lscpu's source is read. */
function cpuModel(): string {
  const known = cpus()[0]?.model.trim();
  if (known !== undefined && known !== '' && known !== 'unknown') return known;
  const info = textOf('/proc/cpuinfo') ?? '';
  return /^(?:model name|Hardware|Model)\s*:\s*(.+)$/m.exec(info)?.[1]?.trim() ?? arch();
}

function distributionName(): string | undefined {
  return /^PRETTY_NAME="?([^"\n]+)"?$/m.exec(textOf('/etc/os-release') ?? '')?.[1];
}

function containerKind(): string {
  if (existsSync('/.dockerenv')) return 'docker';
  if (existsSync('/run/.containerenv')) return 'podman';
  const ofInit = /(?:^|\0)container=([^\0]+)/.exec(textOf('/proc/1/environ') ?? '')?.[1];
  if (ofInit !== undefined) return ofInit;
  return /kubepods|docker|lxc|containerd/.exec(textOf('/proc/1/cgroup') ?? '')?.[0] ?? 'none';
}

function textOf(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}
