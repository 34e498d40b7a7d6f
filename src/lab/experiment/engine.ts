/** Storage engines of a variant: which option of the workload makes its tables so, and what the server must load. */
import { ExitCode, UserError } from '../../base/errors.ts';
import type { Settings } from '../../model/experiment.ts';
import type { Connection, ServerFlavor } from '../../wire/types.ts';
import { asText, readRows } from '../../workload/sql.ts';
import type { Workload } from '../../workload/workload.ts';
import type { ResolvedVariant } from './stage.ts';

const ENGINE_OPTION = 'mysql_storage_engine';

/** The workload's options, with the variant's engine in them. Throws where the workload has no option for it. */
export function optionsWithEngine({ variant, workload, workloadOptions, plan }: ResolvedVariant): Options {
  const { engine, name } = variant;
  if (engine === undefined) return workloadOptions;
  if (workload.options[ENGINE_OPTION]?.kind === 'text') return { ...workloadOptions, [ENGINE_OPTION]: engine };
  throw new UserError(
    `Variant '${name}' asks for the storage engine ${engine}, and ${plan.workload.name} has no option for one.`,
    { hint: `Set default_storage_engine in its settings, or take a workload that has one: ${WITH_ENGINE}.` },
  );
}

type Options = Readonly<Record<string, unknown>>;

const WITH_ENGINE = 'the oltp family, tpcc';

/** Undefined where the workload leaves it to the server. */
export function engineOf(workload: Workload, options: Options): string | undefined {
  const engine = workload.options[ENGINE_OPTION] === undefined ? undefined : options[ENGINE_OPTION];
  return typeof engine === 'string' ? engine : undefined;
}

/** Packages bring it as a plugin that a server without the distribution's option files does not load. */
const PLUGINS: Readonly<Record<string, Readonly<Record<ServerFlavor, string>>>> = {
  rocksdb: { mariadb: 'ha_rocksdb', mysql: 'rocksdb=ha_rocksdb.so' },
};

/** Nothing where the engine is built in, or the settings load plugins themselves. */
export function pluginSettings(engine: string | undefined, flavor: ServerFlavor, asked: Settings): Settings {
  const plugin = PLUGINS[engine?.toLowerCase() ?? '']?.[flavor];
  const isAsked = Object.keys(asked).some((name) => /^plugin[-_]load/i.test(name));
  return plugin === undefined || isAsked ? {} : { plugin_load_add: plugin };
}

export async function demandEngine(connection: Connection, engine: string, variant: string): Promise<void> {
  const rows = await readRows(connection, 'SELECT ENGINE, SUPPORT FROM information_schema.ENGINES');
  const usable = rows.filter(([, support]) => asText(support) !== 'NO').map(([name]) => asText(name));
  if (usable.some((name) => name.toLowerCase() === engine.toLowerCase())) return;
  throw new UserError(
    `Variant '${variant}': the server has no storage engine ${engine}. It has ${usable.join(', ')}.`,
    {
      hint: 'Install its package, and have its plugin loaded with the setting plugin_load_add.',
      exitCode: ExitCode.targetUnavailable,
    },
  );
}
