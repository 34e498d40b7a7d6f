/** From the template of a workload (tools/templates/workload.ts, a real one named hot-row) to one of another name. */

/** The table gets a word more than the name, which may be one that SQL keeps for itself: `order`. */
export function namedWorkloadText(template: string, name: string): string {
  const [, ...lines] = template.split('\n');
  return [`/** ${name}: say here, in a sentence, what it measures and why that is worth knowing. */`, ...lines]
    .join('\n')
    .replaceAll('hot_row', `${name.replaceAll('-', '_')}_rows`);
}

/** For a file anywhere: what it takes from this program's own files it imports from 'sqldyno'. */
export function ownWorkloadText(template: string, name: string): string {
  const names: string[] = [];
  const body = namedWorkloadText(template, name).replaceAll(/^import \{ (.+) \} from .*\n/gm, (_, imported: string) => {
    names.push(...imported.split(', '));
    return '';
  });
  const end = body.indexOf('\n');
  return `${body.slice(0, end)}\nimport { ${names.sort().join(', ')} } from 'sqldyno';${body.slice(end)}`;
}
