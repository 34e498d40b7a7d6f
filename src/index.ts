/** The public API, by name. What is not here may change without notice. */
export { ExitCode, UserError } from './base/errors.ts';
export type { Option, OptionsSchema, ValuesOf } from './base/options.ts';
export { choice, defaultsOf, flag, integer, list, number, text } from './base/options.ts';
export type { Random } from './base/random.ts';
export { createRandom, deriveSeed } from './base/random.ts';
export { fillTemplate } from './base/random-text.ts';
export { programVersion } from './cli/version.ts';
export { analyse } from './lab/experiment/analyse.ts';
export type { ExperimentRequest, ExperimentView, Progress as ExperimentProgress } from './lab/experiment/conduct.ts';
export { conductExperiment } from './lab/experiment/conduct.ts';
export type { PlacedRun } from './lab/experiment/placed-run.ts';
export type { OpenedTarget, ResolvedVariant } from './lab/experiment/stage.ts';
export type { MaintenanceCommand, MaintenanceRequest, MaintenanceView } from './lab/maintenance.ts';
export { createDatabase, maintain } from './lab/maintenance.ts';
export type { RunRequest, RunView } from './lab/run.ts';
export { runOnce } from './lab/run.ts';
export type { PrivateServer, PrivateServerOptions } from './lab/server.ts';
export { listPrivateServers, startPrivateServer, stopPrivateServer } from './lab/server.ts';
export { LOAD_OPTIONS } from './load/options.ts';
export type { LoadPlan } from './load/plan.ts';
export type { LoadValues, PlanWorld } from './load/plan-load.ts';
export { planLoad } from './load/plan-load.ts';
export type { Comparison, ExperimentPlan, ExperimentRecord, ExperimentResult } from './model/experiment.ts';
export type { ConformanceLine, Finding, Interval, LatencyRecord, RunRecord } from './model/run.ts';
export { Histogram } from './stats/histogram.ts';
export { fromLatencyRecord } from './stats/latency-record.ts';
export type { Metric } from './stats/metrics.ts';
export { metricOf } from './stats/metrics.ts';
export type { PairedComparison } from './stats/paired.ts';
export { comparePaired, compareUnpaired } from './stats/paired.ts';
export type { RunFilter, RunSummary } from './store/run-summary.ts';
export type { Store } from './store/store.ts';
export { openStore } from './store/store.ts';
export { connect } from './wire/connection.ts';
export { ServerError, WireError } from './wire/errors.ts';
export type {
  Connection,
  ConnectOptions,
  Outcome,
  ResultSet,
  SqlParameter,
  SqlValue,
  Statement,
} from './wire/types.ts';
export type { FoundWorkload } from './workload/find.ts';
export { loadWorkload, workloadNames } from './workload/find.ts';
export type {
  CheckResult,
  KeyDistribution,
  LoadStatement,
  MaintenanceContext,
  MixLine,
  Needs,
  Progress,
  SequencePart,
  Session,
  SessionConnection,
  SessionContext,
  StatementKind,
  StatementOptions,
  TableNeed,
  TallyCounter,
  TargetProblem,
  Transaction,
  TransactionEvent,
  Work,
  Workload,
} from './workload/workload.ts';
export { defineWorkload, ValidationError } from './workload/workload.ts';
