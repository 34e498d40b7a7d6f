/** What can be said of an experiment before its first run, from the plan and what is installed: nothing is started. */
import type { ExperimentPlan } from '../../model/experiment.ts';
import { findServerBinary } from '../server-binary.ts';
import { serverSettings, usableMemoryBytes } from '../server-settings.ts';
import { cannotMatter } from './cannot-matter.ts';
import { dataBytesOf, writesData } from './data-size.ts';
import { noiseFloorBeforehand } from './noise.ts';
import type { ResolvedVariant } from './stage.ts';

/** Sentences: what is kept beside the runs, settings that cannot matter, or will not be what they look like. */
export async function beforehand(
  plan: ExperimentPlan,
  resolved: readonly ResolvedVariant[],
): Promise<readonly string[]> {
  return [...noiseFloorBeforehand(plan), ...(await settingsBeforehand(plan, resolved))];
}

async function settingsBeforehand(
  plan: ExperimentPlan,
  resolved: readonly ResolvedVariant[],
): Promise<readonly string[]> {
  const sizes = resolved.map(dataBytesOf).filter((bytes) => bytes !== undefined);
  const data = {
    writes: resolved.some(writesData),
    ...(sizes.length < resolved.length ? {} : { dataBytes: Math.max(...sizes) }),
  };
  if (plan.target !== 'private') return cannotMatter(plan, data);
  const binary = await findServerBinary();
  const memoryBytes = usableMemoryBytes();
  if (binary === undefined) return cannotMatter(plan, { ...data, memoryBytes });
  const usual = serverSettings(binary, memoryBytes).map(({ name, value }) => [name.replaceAll('-', '_'), value]);
  const { flavor, version } = binary;
  return cannotMatter(plan, { ...data, memoryBytes, flavor, version, variables: Object.fromEntries(usual) });
}
