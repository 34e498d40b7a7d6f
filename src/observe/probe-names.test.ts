/** docs/probes.md is the list of names: what the probes of host and client give, it tells, and nothing else. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ELAPSED_S, FACTS, MOMENTS } from '../../test/support/host-moments.ts';
import { entryNames, loadEntry } from '../base/catalog.ts';
import type { Probe } from './probe.ts';

const CATALOG = new URL('catalog/', import.meta.url);
const PAGE = readFileSync(new URL('../../docs/probes.md', import.meta.url), 'utf8');

/** With what stands in the page for a name that differs from host to host. */
function general(name: string): string {
  return name
    .replace(/^disk\.(?!data_disk\.)[^.]+\./, 'disk.<device>.')
    .replace(/^network\.(?!total\.)[^.]+\.(?=.)/, 'network.<interface>.')
    .replace(/^other_processes\.top\.[^.]+\./, 'other_processes.top.<name>.')
    .replace(/\.core\d+\./, '.core<N>.')
    .replace(/\.worker\d+\./, '.worker<N>.');
}

async function given(): Promise<string[]> {
  const rows = new Set<string>();
  for (const entry of entryNames(CATALOG)) {
    const probe = (await loadEntry(CATALOG, entry)) as Probe;
    if (probe.source === 'server') continue;
    const readings = probe.between(...MOMENTS, ELAPSED_S, FACTS);
    if (typeof readings === 'string')
      throw new Error(`${entry} gives nothing of a host that tells everything: ${readings}`);
    for (const [name, { unit }] of Object.entries(readings)) rows.add(`${general(`${entry}.${name}`)} in ${unit}`);
  }
  return [...rows].sort();
}

/** Rows whose probe is of the host or the client; those of the server are told elsewhere in the page. */
async function told(): Promise<string[]> {
  const entries = new Map<string, Probe>();
  for (const entry of entryNames(CATALOG)) entries.set(entry, (await loadEntry(CATALOG, entry)) as Probe);
  const rows = [...PAGE.matchAll(/^\| `([\w<>.]+)` \| (\S+) \|/gm)].map((match) => ({
    name: match[1]!,
    unit: match[2]!,
  }));
  const ofHost = rows.filter(({ name }) => entries.get(name.split('.')[0]!)?.source !== 'server');
  return ofHost.map(({ name, unit }) => `${name} in ${unit}`).sort();
}

test('every name that the probes of host and client give is in the page, with its unit, and no other', async () => {
  expect(await told()).toEqual(await given());
});

test('names and units are of one kind', async () => {
  for (const row of await given()) expect(row).toMatch(/^[a-z_]+(?:\.[a-z_]+|\.<[a-z]+>|\.[a-z]+<N>)+ in \S+$/);
});
