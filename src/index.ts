/** The public face of the core: the Store contract, the stores that come with the package, the board over them, and background jobs. */
export { adviceOn } from './board/advice.ts';
export { createBoard } from './board/board.ts';
export {
  type BoardConfig,
  type BoardConfigInput,
  boardConfigSchema,
  parseBoardConfig,
} from './board/config.ts';
export { loadBoardConfig } from './board/config-file.ts';
export { DEFAULT_NAMESPACES, type Mode, type Namespace, readNamespaces } from './board/namespaces.ts';
export { type BoardStats, boardStats, type NamespaceStats } from './board/stats.ts';
export type {
  Board,
  BoardOptions,
  PersistentConflict,
  SetOptions,
  UpdateOutcome,
  WriteOptions,
} from './board/types.ts';
export type { TokenLimit, ViewOptions } from './board/view/options.ts';
export { type Clock, systemClock } from './clock.ts';
export { type EntryRules, entryRules } from './entries/rules.ts';
export { ERROR_CODES, type ErrorCode, FencepostError } from './errors.ts';
export {
  type Delivery,
  JOB_STATUSES,
  type JobInfo,
  type JobRecord,
  type JobStatus,
  type NotSerialisable,
  type Origin,
} from './jobs/job.ts';
export { createJobManager } from './jobs/manager.ts';
export type * from './jobs/outbound/entry.ts';
export { createOutboundQueue } from './jobs/outbound/queue.ts';
export type {
  DrainCounts,
  NewOutbound,
  OutboundQueue,
  OutboundQueueOptions,
} from './jobs/outbound/types.ts';
export type { ProcessProbe } from './jobs/process-probe.ts';
export { getJobManager } from './jobs/shared.ts';
export type * from './jobs/store.ts';
export { createJobThreads, type JobThreads, type JobThreadsOptions } from './jobs/threads.ts';
export type {
  DeliverBack,
  DeliveryContext,
  JobContext,
  JobFunction,
  JobHealth,
  JobManager,
  JobManagerOptions,
  JobNotice,
  JobRefusal,
  OnComplete,
  ReconcileCounts,
  StartOptions,
  StartOutcome,
} from './jobs/types.ts';
export { createLeaseRules, type LeaseRules, leaseRules } from './lease/rules.ts';
export type { PlanTask, ScheduleEvent, TaskStatus } from './plan/document.ts';
export { createPlan } from './plan/plan.ts';
export { PLAN_GUIDANCE } from './plan/tools/guidance.ts';
export type { Tool } from './plan/tools/tool.ts';
export { createPlanTools, type PlanTools, type PlanToolsOptions } from './plan/tools/tool-set.ts';
export type {
  ClaimOptions,
  ClaimTaskOptions,
  Closer,
  DurablePlan,
  PlanClaim,
  PlanOptions,
  PlanOutcome,
  PlanRefusal,
  PlanRefusalCode,
  PlanSnapshot,
  ScheduleOptions,
} from './plan/types.ts';
export type * from './store.ts';
export { createMemoryData, type MemoryData } from './stores/memory/data.ts';
export {
  createMemoryJobData,
  createMemoryJobStore,
  type MemoryJobData,
  type MemoryJobStoreOptions,
} from './stores/memory/jobs.ts';
export {
  createMemoryOutboundData,
  createMemoryOutboundStore,
  type MemoryOutboundData,
} from './stores/memory/outbound.ts';
export { createMemoryStore, type MemoryStore, type MemoryStoreOptions } from './stores/memory/store.ts';
export type { SqliteJobStoreOptions } from './stores/sqlite/jobs/connection.ts';
export { createSqliteOutboundStore } from './stores/sqlite/jobs/outbound.ts';
export { createSqliteJobStore } from './stores/sqlite/jobs/store.ts';
export type { Durability } from './stores/sqlite/open.ts';
export { createSqliteStore, type SqliteStore, type SqliteStoreOptions } from './stores/sqlite/store.ts';
