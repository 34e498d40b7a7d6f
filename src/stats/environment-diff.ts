/** What two environments have and have not in common: facts in, differences out. */
import type { Environment } from '../model/observed.ts';
import type { RunRecord } from '../model/run.ts';

export type Facts = Readonly<Record<string, string | number | boolean>>;
type Fact = Facts[string];

/** Where a server's variable has its value from; absent: from an option file or the command line, or it is not told. */
export type Origin = 'default' | 'set at runtime';

export interface DifferingFact {
  readonly name: string;
  readonly one: Fact;
  readonly other: Fact;
  readonly originOfOne?: Origin;
  readonly originOfOther?: Origin;
}
export interface LoneFact {
  readonly name: string;
  readonly value: Fact;
  readonly origin?: Origin;
}

export interface FactsDiff {
  /** By name. */
  readonly differing: readonly DifferingFact[];
  readonly onlyInOne: readonly LoneFact[];
  readonly onlyInOther: readonly LoneFact[];
  /** Differ between any two hosts, or two starts of one: names, places, numbers of processes. */
  readonly expected: readonly DifferingFact[];
  /** How many are equal. */
  readonly alike: number;
}

/** Variables of a server stand among its other facts under this. */
const VARIABLE = /^variable\./;

/** Told of a host or a server to tell it from others, and not what makes it faster. */
const TELLS_APART = new Set([
  'hostname',
  'bootId',
  'datadir.path',
  'directory.path',
  'pid_file',
  'port',
  'socket',
  'server_id',
  'server_uuid',
  'datadir',
  'tmpdir',
  'slave_load_tmpdir',
  'innodb_tmpdir',
  'log_error',
  'general_log_file',
  'slow_query_log_file',
  'log_bin_basename',
  'log_bin_index',
  'relay_log',
  'relay_log_basename',
  'relay_log_index',
  'relay_log_info_file',
  'report_host',
  'report_port',
  'gtid_binlog_pos',
  'gtid_binlog_state',
  'gtid_current_pos',
  'gtid_slave_pos',
  'gtid_executed',
  'gtid_purged',
]);

export function tellsApart(name: string): boolean {
  return TELLS_APART.has(name.replace(VARIABLE, ''));
}

export function diffFacts(one: Facts, other: Facts): FactsDiff {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  const both = names.filter((name) => Object.hasOwn(one, name) && Object.hasOwn(other, name));
  const differing = both
    .filter((name) => one[name] !== other[name])
    .map((name) => ({ name, one: one[name]!, other: other[name]! }));
  const onlyIn = (facts: Facts, without: Facts) =>
    names.filter((name) => !Object.hasOwn(without, name)).map((name) => ({ name, value: facts[name]! }));
  return {
    differing: differing.filter(({ name }) => !tellsApart(name)),
    onlyInOne: onlyIn(one, other),
    onlyInOther: onlyIn(other, one),
    expected: differing.filter(({ name }) => tellsApart(name)),
    alike: both.length - differing.length,
  };
}

export function isWithoutDifference({ differing, onlyInOne, onlyInOther }: FactsDiff): boolean {
  return differing.length + onlyInOne.length + onlyInOther.length === 0;
}

export interface EnvironmentDiff {
  readonly one: string;
  readonly other: string;
  /** Of these two runs, the ids of those that have no environment; then only what every record tells is compared. */
  readonly withoutEnvironment: readonly string[];
  readonly server: FactsDiff;
  readonly host: FactsDiff;
  /** Absent where the client ran on the server's host, in both. */
  readonly client?: FactsDiff;
  /** Where both tell it. */
  readonly roundTripUs?: {
    readonly one: NonNullable<Environment['roundTripUs']>;
    readonly other: NonNullable<Environment['roundTripUs']>;
  };
}

/** What is needed of a run. */
export type RunOfDiff = Pick<RunRecord, 'id' | 'target' | 'host'> & { readonly environment?: Environment };

export function environmentDiff(one: RunOfDiff, other: RunOfDiff): EnvironmentDiff {
  const withoutEnvironment = [one, other].filter(({ environment }) => environment === undefined).map(({ id }) => id);
  const isComplete = withoutEnvironment.length === 0;
  const [ofOne, ofOther] = [one, other].map((run) => (isComplete ? run.environment! : outOfRecord(run)));
  const isOneHost = [ofOne!, ofOther!].every(isOfOneHost);
  const trips = [ofOne!.roundTripUs, ofOther!.roundTripUs] as const;
  return {
    one: one.id,
    other: other.id,
    withoutEnvironment,
    server: diffServers(serverOf(ofOne!, one), serverOf(ofOther!, other)),
    host: diffFacts(ofOne!.host, ofOther!.host),
    ...(isOneHost ? {} : { client: diffFacts(ofOne!.client, ofOther!.client) }),
    ...(trips[0] === undefined || trips[1] === undefined ? {} : { roundTripUs: { one: trips[0], other: trips[1] } }),
  };
}

/** Of a host that tells nothing, nothing is known. */
function isOfOneHost({ host, client }: Environment): boolean {
  return host['bootId'] !== undefined && host['bootId'] === client['bootId'];
}

/** Every record tells of the machine that generated the load, and the variables that matter. */
function outOfRecord({ target, host }: RunOfDiff): Environment {
  // What another tool measured may not tell its server.
  const server = target.flavor === '' ? {} : { flavor: target.flavor, version: target.version };
  return { server, host: {}, client: host };
}

/** MariaDB says of these that nobody has set them, whoever has. */
const ORIGIN_UNTOLD = new Set(
  ['log_bin', 'log_bin_basename', 'log_bin_index', 'relay_log_basename', 'relay_log_index'].map(
    (name) => `variable.${name}`,
  ),
);

interface ServerFacts {
  readonly facts: Facts;
  readonly origins: ReadonlyMap<string, Origin>;
}

/**
 * The environment tells what somebody has set, and the record the variables that matter, set or not: a value that was
 * set in one run is so laid beside the default that the other had.
 */
function serverOf({ server }: Environment, { target }: RunOfDiff): ServerFacts {
  const set = Object.entries(server).flatMap(([fact, value]) => {
    const found = /^set(-at-runtime)?\.(.+)$/.exec(fact);
    return found === null ? [] : [{ name: `variable.${found[2]}`, value, isRuntime: found[1] !== undefined }];
  });
  const others = Object.entries(server).filter(([fact]) => !/^set(?:-at-runtime)?\./.test(fact));
  const recorded = Object.entries(target.variables).map(([name, value]) => [`variable.${name}`, value] as const);
  const origins = new Map<string, Origin>();
  // Where nothing is told to be set, it was not told what is.
  const isTold = ([name]: readonly [string, unknown]) => set.length > 0 && !ORIGIN_UNTOLD.has(name);
  for (const [name] of recorded.filter(isTold)) origins.set(name, 'default');
  for (const { name, isRuntime } of set) {
    if (isRuntime) origins.set(name, 'set at runtime');
    else origins.delete(name);
  }
  const facts = [...others, ...recorded, ...set.map(({ name, value }) => [name, value] as const)];
  return { facts: Object.fromEntries(facts), origins };
}

function diffServers(one: ServerFacts, other: ServerFacts): FactsDiff {
  const diff = diffFacts(one.facts, other.facts);
  const isOneVersion = one.facts['flavor'] === other.facts['flavor'] && one.facts['version'] === other.facts['version'];
  return {
    ...diff,
    differing: diff.differing.map((fact) => {
      const [originOfOne, originOfOther] = [one.origins.get(fact.name), other.origins.get(fact.name)];
      // One version has one default, unless it is worked out from something else: that is not for us to say.
      if (isOneVersion && originOfOne === 'default' && originOfOther === 'default') return fact;
      return {
        ...fact,
        ...(originOfOne === undefined ? {} : { originOfOne }),
        ...(originOfOther === undefined ? {} : { originOfOther }),
      };
    }),
    onlyInOne: diff.onlyInOne.map((fact) => withOrigin(fact, one)),
    onlyInOther: diff.onlyInOther.map((fact) => withOrigin(fact, other)),
  };
}

function withOrigin(fact: LoneFact, { origins }: ServerFacts): LoneFact {
  const origin = origins.get(fact.name);
  return origin === undefined ? fact : { ...fact, origin };
}
