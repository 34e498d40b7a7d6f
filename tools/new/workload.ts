/** Makes a workload's file out of the template, which is a real, compiled workload named hot-row. */

export function workloadPath(name: string): string {
  return `src/workload/catalog/${name}.ts`;
}

export function workloadText(template: string, name: string): string {
  const table = name.replaceAll('-', '_');
  const [, ...lines] = template.split('\n');
  return [`/** ${name}: say here, in a sentence, what it measures and why that is worth knowing. */`, ...lines]
    .join('\n')
    .replaceAll("'../../src/workload/", "'../")
    .replaceAll("'../../src/", "'../../")
    .replaceAll('hot_row', table);
}
