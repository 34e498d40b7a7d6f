/** What is settled about a variant before its private server is started: program, option file, data, place. */
import type { ExperimentPlan, Settings } from '../../model/experiment.ts';
import { needServerBinary, type ServerBinary } from '../server-binary.ts';
import { usableMemoryBytes } from '../server-settings.ts';
import { type DataPlace, placeUnder } from './data-place.ts';
import { type Dataset, databaseOf, datasetOf } from './dataset.ts';
import { numberOf } from './effective.ts';
import { engineOf, optionsWithEngine, pluginSettings } from './engine.ts';
import { bareName, checkSettings, optionFileText } from './option-file.ts';
import type { ResolvedVariant } from './stage.ts';

export interface PrivateVariant {
  readonly name: string;
  readonly resolved: ResolvedVariant;
  readonly binary: ServerBinary;
  /** Of the plan and of the variant. */
  readonly asked: Settings;
  readonly optionFile: string;
  /** Of the server that loads the data: fast, and of all settings only those that shape the data. */
  readonly loadFile: string;
  readonly dataset: Dataset;
  readonly place: DataPlace;
  readonly database: string;
  /** What its redo log may grow to. */
  readonly redoBytes: number;
}

/** What was not written out when the loading is cut off is loaded again: nothing need be durable meanwhile. */
const FAST_LOAD = { innodb_flush_log_at_trx_commit: '0', sync_binlog: '0' };

const MIB = 1024 * 1024;
/** The largest that server-settings.ts gives. */
const REDO_BYTES = 512 * MIB;

export async function settleVariant(
  resolved: ResolvedVariant,
  plan: ExperimentPlan,
  { id, own }: { readonly id: string; readonly own: DataPlace },
): Promise<PrivateVariant> {
  const { variant } = resolved;
  checkSettings(plan.settings);
  checkSettings(variant.settings ?? {});
  const binary = await needServerBinary(variant.server);
  const settings = merged(plan.settings, variant.settings ?? {});
  const engine = engineOf(resolved.workload, optionsWithEngine(resolved));
  const plugin = pluginSettings(engine, binary.flavor, settings);
  const asked = { ...plugin, ...settings };
  const dataset = datasetOf(resolved, binary, asked);
  const memoryBytes = usableMemoryBytes();
  const common = { comment: 'Of the experiment', settings: plan.settings };
  const varied = { comment: `Of variant ${variant.name}`, settings: variant.settings ?? {} };
  return {
    name: variant.name,
    resolved,
    binary,
    asked,
    optionFile: optionFileText(binary, memoryBytes, [
      { comment: `For the storage engine ${engine}`, settings: plugin },
      // What the variant says otherwise stands once, so that no form of a name can win by another rule than the last.
      { ...common, settings: without(common.settings, varied.settings) },
      varied,
    ]),
    loadFile: optionFileText(binary, memoryBytes, [
      { comment: 'To load quickly', settings: FAST_LOAD },
      { comment: 'What shapes the data', settings: dataset.shaping },
    ]),
    dataset,
    place: variant.dataDirectory === undefined ? own : placeUnder(variant.dataDirectory, id, own),
    database: databaseOf(resolved, plan),
    redoBytes: redoBytesOf(settings),
  };
}

function merged(common: Settings, varied: Settings): Settings {
  return { ...without(common, varied), ...varied };
}

function without(common: Settings, varied: Settings): Settings {
  const names = new Set(Object.keys(varied).map(bareName));
  return Object.fromEntries(Object.entries(common).filter(([name]) => !names.has(bareName(name))));
}

function redoBytesOf(settings: Settings): number {
  const sizes = Object.entries(settings).filter(([name]) => REDO_SIZES.includes(bareName(name)));
  const asked = sizes.map(([, value]) => numberOf(value) ?? 0);
  return asked.length === 0 ? REDO_BYTES : Math.max(...asked);
}

const REDO_SIZES = ['innodb_log_file_size', 'innodb_redo_log_capacity'];
