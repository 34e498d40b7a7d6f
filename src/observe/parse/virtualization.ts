/** Whether the host is a virtual machine, and whether we are in a container: both, since one hides the other. */

export interface VirtualizationTexts {
  /** /sys/class/dmi/id/sys_vendor, product_name and bios_vendor. */
  readonly dmi: readonly (string | undefined)[];
  /** /sys/hypervisor/type. */
  readonly hypervisorType: string | undefined;
  /** `compatible` of the hypervisor's node in the device tree. */
  readonly deviceTree: string | undefined;
  /** /proc/xen/capabilities: `control_d` on Xen's own domain. */
  readonly xenCapabilities: string | undefined;
  /** All clock sources that are available: a hypervisor offers its own. */
  readonly clockSources: string | undefined;
  readonly cpuFlags: ReadonlySet<string>;
  readonly hasProcessors: boolean;
}

/** Vendors as their firmware writes them. */
const BY_DMI: readonly (readonly [RegExp, string])[] = [
  [/VMware/i, 'vmware'],
  [/innotek GmbH|VirtualBox|Oracle Corporation VirtualBox/i, 'virtualbox'],
  [/Microsoft Corporation.*Virtual Machine/i, 'hyper-v'],
  [/Amazon EC2/i, 'amazon'],
  [/Google Compute Engine/i, 'google'],
  [/\bXen\b/i, 'xen'],
  [/Parallels/i, 'parallels'],
  [/BHYVE/i, 'bhyve'],
  [/Apple Virtualization/i, 'apple'],
  [/\bKVM\b|OpenStack|Alibaba Cloud|DigitalOcean|Hetzner|Scaleway|\bRHEV\b|oVirt/i, 'kvm'],
  [/QEMU|Bochs/i, 'qemu'],
];

/** `none` on bare metal; `unknown` where there is one that does not say its name. Undefined: no file tells. */
export function hypervisorOf(texts: VirtualizationTexts): string | undefined {
  if (texts.xenCapabilities?.includes('control_d') === true) return 'none';
  const clock = texts.clockSources ?? '';
  const byClock = /kvm-clock/.test(clock) ? 'kvm' : /hyperv/.test(clock) ? 'hyper-v' : undefined;
  const dmi = texts.dmi.filter((text) => text !== undefined).join(' ');
  const byDmi = BY_DMI.find(([pattern]) => pattern.test(dmi))?.[1];
  // A machine of QEMU's runs under KVM where that offers its clock, and is emulated where it does not.
  if (byDmi !== undefined) return byDmi === 'qemu' && byClock === 'kvm' ? 'kvm' : byDmi;
  if (texts.hypervisorType !== undefined) return texts.hypervisorType.trim();
  if (byClock !== undefined) return byClock;
  if (/\bxen\b/.test(clock)) return 'xen';
  if (texts.deviceTree !== undefined) return /xen/.test(texts.deviceTree) ? 'xen' : 'kvm';
  if (texts.cpuFlags.has('hypervisor')) return 'unknown';
  return texts.hasProcessors ? 'none' : undefined;
}

export interface ContainerTexts {
  /** Marks that exist: /.dockerenv, /run/.containerenv and the like. */
  readonly marks: readonly string[];
  /** /run/systemd/container, written by systemd where it was told. */
  readonly systemd: string | undefined;
  /** /proc/1/environ; root only. */
  readonly environment: string | undefined;
  /** /proc/1/cgroup. */
  readonly cgroup: string | undefined;
  /** /proc/self/mountinfo: what the root directory is made of. */
  readonly rootOptions: string | undefined;
  readonly kernelRelease: string | undefined;
}

export const CONTAINER_MARKS: Readonly<Record<string, string>> = {
  '/var/run/secrets/kubernetes.io': 'kubernetes',
  '/run/.containerenv': 'podman',
  '/.dockerenv': 'docker',
  '/dev/lxd/sock': 'lxc',
};

/** Of the reader's own surroundings: over SSH, what the SSH server runs in. */
export function containerOf(texts: ContainerTexts): string {
  const byMark = Object.entries(CONTAINER_MARKS).find(([path]) => texts.marks.includes(path))?.[1];
  const byEnvironment = /(?:^|\0)container=([^\0]+)/.exec(texts.environment ?? '')?.[1];
  const byName = byMark ?? texts.systemd?.trim() ?? byEnvironment;
  if (byName !== undefined && byName !== '') return byName;
  const byGroup = containerInCgroup(texts.cgroup);
  if (byGroup !== undefined) return byGroup;
  const root = texts.rootOptions ?? '';
  if (/\/docker\//.test(root)) return 'docker';
  if (/\/containers\/storage\//.test(root)) return 'podman';
  if (/\/containerd\//.test(root)) return 'containerd';
  return /microsoft/i.test(texts.kernelRelease ?? '') ? 'wsl' : 'none';
}

/** By the group's path, as container engines name it: also of a process seen from outside. */
export function containerInCgroup(cgroup: string | undefined): string | undefined {
  const found = /kubepods|docker|libpod|lxc|containerd/.exec(cgroup ?? '')?.[0];
  return found === 'kubepods' ? 'kubernetes' : found === 'libpod' ? 'podman' : found;
}
