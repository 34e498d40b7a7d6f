/** Makes the file of a workload in the catalogue out of the template. */
import { namedWorkloadText } from '../../src/cli/workload-template.ts';

export function workloadPath(name: string): string {
  return `src/workload/catalog/${name}.ts`;
}

export function workloadText(template: string, name: string): string {
  return namedWorkloadText(template, name)
    .replaceAll("'../../src/workload/", "'../")
    .replaceAll("'../../src/", "'../../");
}
