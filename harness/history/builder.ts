/**
 * Turns records into a `History`: pairs each completion with its invoke and fills the columns. Used twice: by the
 * coordinator while the files grow (meters, targets of faults), and by the check, which reads everything again.
 */
import { BoardReads } from './board-reads.ts';
import { MAX_CALLS } from './client-fields.ts';
import { Columns } from './columns.ts';
import { Generations } from './generations.ts';
import {
  FLAG,
  type History,
  type LoopSample,
  OP,
  OUTCOME,
  type PlanVerb,
  REFUSALS,
  type ReadProblem,
  type ScanRow,
} from './history.ts';
import { Interner } from './interner.ts';
import { PlanLog } from './plan-log.ts';
import { Questions } from './questions.ts';
import type {
  ClientRecord,
  ErrorRecord,
  InvokeRecord,
  LeaseRecord,
  LoopRecord,
  NoteRecord,
  OkRecord,
  RowRecord,
  SupervisorRecord,
} from './record.ts';
import { RecordError } from './record-error.ts';
import { RunLog } from './run-log.ts';
import { ScanRows } from './scan-rows.ts';
import { tenureTokens } from './tenure-tokens.ts';
import { TextArena } from './text-arena.ts';
import { WorkerNotes } from './worker-notes.ts';

/** Told of rows as they appear; used to know who holds what right now. */
export interface RowObserver {
  invoked(row: number): void;
  completed(row: number): void;
  /** A record of what a process did to itself, or how late its event loop ran. */
  noted?(record: NoteRecord | LoopRecord, incarnation: number): void;
}

interface Client {
  readonly incarnation: number;
  /** The scanner's reads are the final ones. */
  readonly isScanner: boolean;
  readonly owner: number;
  readonly file: string;
  readonly lanes: Map<number, Lane>;
  /** Calls without a definite answer whose lane has gone on, by lane and call. */
  readonly left: Map<number, Call>;
}

/** First row and number of rows of a call. */
interface Call {
  row: number;
  rows: number;
}

/** One sequential client, with the call that it sent last. A lane numbers its calls upwards: none can be read twice. */
interface Lane extends Call {
  call: number;
  /** No definite answer to that call was read. */
  isOpen: boolean;
}

export class HistoryBuilder {
  readonly #columns = new Columns();
  readonly #generations = new Generations();
  readonly #keys = new Interner();
  readonly #texts = new TextArena();
  readonly #owners = new Interner();
  readonly #questions = new Questions();
  readonly #notBefore = new Map<number, number>();
  readonly #tokens = new Map<number, string>();
  readonly #movedTo = new Map<number, string>();
  readonly #askedItems = new Map<number, number>();
  readonly #errors = new Map<number, { code: string; message: string }>();
  #scanRows = new ScanRows();
  #scanStartedAt: number | undefined;
  #scanComplete = false;
  #scanFailed = false;
  readonly #loop: LoopSample[] = [];
  readonly #problems: ReadProblem[] = [];
  readonly #clients = new Map<number, Client>();
  readonly #run = new RunLog();
  readonly #notes = new WorkerNotes();
  readonly #board = new BoardReads(this.#columns, this.#keys, this.#texts, this.#generations, this.#tokens);
  readonly #plans = new PlanLog(this.#columns, this.#keys);
  #records = 0;

  readonly #observer: RowObserver | undefined;

  constructor(observer?: RowObserver) {
    this.#observer = observer;
  }

  get columns(): Columns {
    return this.#columns;
  }

  keyOf(item: number): string {
    return this.#keys.all[item]!;
  }

  /** The verb of a plan at this row. */
  planVerb(row: number): PlanVerb | undefined {
    return this.#plans.at(row);
  }

  get run(): RunLog {
    return this.#run;
  }

  problem(problem: ReadProblem): void {
    this.#problems.push(problem);
  }

  /** Takes one record of a client's file. Throws `RecordError` for one that cannot be. */
  client(record: ClientRecord, file: string, line: number, incarnation: number): void {
    this.#records += 1;
    switch (record.type) {
      case 'invoke':
        return this.#invoke(record, this.#clientOf(incarnation));
      case 'ok':
        return this.#ok(record, this.#clientOf(incarnation));
      case 'fail':
      case 'info':
        return this.#unanswered(record, this.#clientOf(incarnation));
      case 'header': {
        this.#run.belongs(record.run);
        const known = this.#clients.get(record.incarnation);
        if (known) {
          // A second file of the same life is legal; another life under the same number is not.
          if (this.#owners.all[known.owner] !== record.label) {
            throw new RecordError(
              `Expected incarnation ${record.incarnation} to be one life, got the labels ${this.#owners.all[known.owner]} and ${record.label}`,
            );
          }
          return;
        }
        this.#clients.set(record.incarnation, {
          incarnation: record.incarnation,
          isScanner: record.role === 'scanner',
          owner: this.#owners.index(record.label),
          file,
          lanes: new Map(),
          left: new Map(),
        });
        return this.#run.header(record, file);
      }
      case 'loop':
        this.#loop.push({ incarnation, at: record.t, p99Ms: record.p99Ms, maxMs: record.maxMs });
        this.#observer?.noted?.(record, incarnation);
        return;
      case 'order':
      case 'at':
      case 'wall':
        this.#notes.take(record, incarnation);
        if (record.type === 'at' && record.cut === 'kill') this.#run.killedItself(incarnation, record.t);
        this.#observer?.noted?.(record, incarnation);
        return;
      case 'crash':
        this.problem({ kind: 'crash', file, line, message: record.message });
        return;
      case 'shape':
        this.problem({ kind: 'shape', file, line, message: record.message });
        return;
      case 'end':
        return this.#run.ended(incarnation, record.records);
    }
  }

  /** Takes one record of the supervisor's file. */
  supervisor(record: SupervisorRecord, file = 'supervisor.ndjson'): void {
    this.#records += 1;
    this.#run.supervisor(record, file);
  }

  /** The history so far. Columns are views: a later record may still change rows that had no answer yet. */
  snapshot(options: { readonly embedded: boolean }): History {
    const columns = this.#columns;
    const generations = this.#generations.settle(
      columns.generation,
      columns.length,
      this.#otherGenerations(),
    );
    if (options.embedded) this.#cutOff();
    const ops = columns.view(generations.column);
    const board = this.#board.settle(generations.same ? undefined : generations.of);
    return {
      ops,
      keys: this.#keys.all,
      texts: this.#texts,
      owners: this.#owners.all,
      prefixes: this.#questions.prefixes,
      limits: this.#questions.limits,
      notBefore: this.#notBefore,
      tokens: this.#tokens,
      movedTo: this.#movedTo,
      tenureTokens: tenureTokens(ops, this.#tokens, this.#movedTo, board.fences),
      askedItems: this.#askedItems,
      errors: this.#errors,
      scan:
        this.#scanStartedAt === undefined
          ? undefined
          : {
              rows: generations.same
                ? this.#scanRows
                : Array.from(this.#scanRows, (row) => ranked(row, generations.of)),
              complete: this.#scanComplete && !this.#scanFailed,
              startedAt: this.#scanStartedAt,
            },
      ...board,
      ...this.#plans.settle(),
      incarnations: this.#run.incarnations(),
      phases: this.#run.phases,
      faults: this.#run.faults,
      clockSamples: this.#run.clockSamples,
      loop: this.#loop,
      orders: this.#notes.orders,
      cuts: this.#notes.cuts,
      wall: this.#notes.wall,
      holds: this.#run.holds,
      problems: this.#problems,
      records: this.#records,
      generationText: generations.text,
    };
  }

  /** Generations that are not in the columns. Walked only where they have to be ranked. */
  *#otherGenerations(): Generator<number> {
    for (const row of this.#scanRows) yield row.generation;
    yield* this.#board.generations();
  }

  /** With a store inside the worker's process, a call of unknown outcome cannot act after the process was seen to exit. */
  #cutOff(): void {
    for (const client of this.#clients.values()) {
      const exitedAt = this.#run.exitOf(client.incarnation);
      if (exitedAt === undefined) continue;
      for (const call of client.left.values()) this.#endBy(exitedAt, call);
      for (const lane of client.lanes.values()) if (lane.isOpen) this.#endBy(exitedAt, lane);
    }
  }

  #endBy(exitedAt: number, { row, rows }: Call): void {
    const { inv, ret } = this.#columns;
    for (let i = row; i < row + rows; i++) ret[i] = Math.max(exitedAt, inv[i]!);
  }

  #clientOf(incarnation: number): Client {
    const client = this.#clients.get(incarnation);
    if (!client) throw new RecordError('Expected a header record before the first operation');
    return client;
  }

  #invoke(record: InvokeRecord, client: Client): void {
    const lane = laneOf(client, record);
    const c = this.#columns;
    const row = c.add(OP[record.op], client.incarnation, record.lane, record.call, record.t, client.owner);
    const { items, writes } = record;
    let rows = 1;
    if (record.plan) this.#plans.asked(row, record.plan);
    if (record.require?.length) this.#board.required(row, record.require);
    if (writes) {
      rows = Math.max(1, writes.length);
      writes.forEach((write, i) => {
        const at = i === 0 ? row : c.addBeside(row);
        if (rows > 1) c.flags[at]! |= FLAG.batch;
        this.#board.wrote(at, write);
      });
    } else if (items) {
      rows = items.length;
      items.forEach((item, i) => {
        const at = i === 0 ? row : c.addBeside(row);
        c.item[at] = this.#keys.index(item.key);
        c.value[at] = this.#texts.index(item.value);
        c.attempt[at] = item.maxAttempts ?? 0;
        if (rows > 1) c.flags[at]! |= FLAG.batch;
        if (item.notBeforeMs !== undefined) this.#notBefore.set(at, item.notBeforeMs);
      });
    } else {
      if (record.key !== undefined && record.op !== 'scan' && record.op !== 'list')
        c.item[row] = this.#keys.index(record.key);
      const { prefix, limit } = record;
      if (prefix !== undefined || limit !== undefined) this.#questions.set(row, prefix, limit);
      if (record.generation !== undefined) c.generation[row] = this.#generations.encode(record.generation);
      if (record.token !== undefined) this.#tokens.set(row, record.token);
      if (record.leaseMs !== undefined) c.leaseMs[row] = record.leaseMs;
      if (record.value !== undefined) c.value[row] = this.#texts.index(record.value);
      if (record.reacquire) c.flags[row]! |= FLAG.reacquire;
      if (record.op === 'scan' && client.isScanner) this.#scanning(record);
      if (record.op === 'list') this.#board.listing(row, client.isScanner);
      if (record.op === 'since') this.#board.asked(row, record.cursor ?? 0, client.isScanner);
      if (record.op === 'history' && record.before !== undefined)
        this.#board.asked(row, record.before, false);
    }
    lane.row = row;
    lane.rows = rows;
    this.#observer?.invoked(row);
  }

  #take(record: OkRecord | ErrorRecord, client: Client): Call {
    const lane = client.lanes.get(record.lane);
    if (!lane || lane.call !== record.call || !lane.isOpen) return this.#takeLeft(record, client);
    this.#refuseSecond(record, lane);
    lane.isOpen = record.type === 'info';
    return lane;
  }

  /** The answer to a call that is not the last one of its lane. */
  #takeLeft(record: OkRecord | ErrorRecord, client: Client): Call {
    const { lane, call } = record;
    const id = lane * MAX_CALLS + call;
    const left = client.left.get(id);
    if (!left)
      throw new RecordError(
        `Completion of call ${lane}.${call}, which was never invoked, or has a completion already`,
      );
    this.#refuseSecond(record, left);
    if (record.type !== 'info') client.left.delete(id);
    return left;
  }

  #refuseSecond(record: OkRecord | ErrorRecord, { row }: Call): void {
    const { t, lane, call } = record;
    if (this.#errors.has(row)) throw new RecordError(`Call ${lane}.${call} has two completions`);
    const inv = this.#columns.inv[row]!;
    if (t < inv)
      throw new RecordError(`Call ${lane}.${call} ended before it began: sent at ${inv}, answered at ${t}`);
  }

  #ok(record: OkRecord, client: Client): void {
    const { row, rows } = this.#take(record, client);
    const c = this.#columns;
    for (let i = row; i < row + rows; i++) {
      c.outcome[i] = record.accepted ? OUTCOME.accepted : OUTCOME.refused;
      c.ret[i] = record.t;
    }
    if (c.op[row] === OP.plan) {
      this.#plans.answered(row, record);
    } else if (!record.accepted) {
      c.code[row] = (REFUSALS as readonly string[]).indexOf(record.code!);
    } else {
      this.#accepted(record, row, rows, client);
    }
    this.#observer?.completed(row);
  }

  #accepted(record: OkRecord, row: number, rows: number, client: Client): void {
    const entries = record.entries ?? [];
    const limit = this.#questions.limits.get(row) ?? 1;
    switch (this.#columns.op[row]) {
      case OP.scan:
        return client.isScanner ? this.#scanned(record, row) : undefined;
      case OP.commit:
        return this.#board.committed(row, rows, entries);
      case OP.get:
        return this.#board.got(row, entries);
      case OP.history:
        if (client.isScanner) this.#plans.remembered(row, entries);
        return this.#board.remembered(row, entries, limit);
      case OP.list:
        return this.#board.listedPage(row, entries, limit, client.isScanner);
      case OP.since:
        return this.#board.fed(row, record, limit, client.isScanner);
    }
    if (record.leases) this.#granted(record.leases, row);
  }

  #granted(leases: readonly LeaseRecord[], row: number): void {
    const c = this.#columns;
    leases.forEach((lease, i) => {
      const at = i === 0 ? row : c.addBeside(row);
      if (leases.length > 1) c.flags[at]! |= FLAG.batch;
      // A holder call is judged by the lease that it handed in, whatever lease the answer shows: a store that lets a stale
      // heartbeat through may well answer with the lease that stands.
      const handedIn =
        c.op[at] === OP.heartbeat && (!Number.isNaN(c.generation[at]!) || this.#tokens.has(at));
      if (handedIn) {
        this.#renewed(at, lease);
      } else {
        const item = this.#keys.index(lease.key);
        if (c.op[at] === OP.claim && c.item[row]! >= 0 && c.item[row] !== item)
          this.#askedItems.set(at, c.item[row]!);
        c.item[at] = item;
        if (lease.generation !== undefined) c.generation[at] = this.#generations.encode(lease.generation);
        if (lease.token !== undefined) this.#tokens.set(at, lease.token);
      }
      // A renewal that asked for an extension moves the end by that much, whatever length the lease says it has.
      const extended = c.op[at] === OP.heartbeat && !Number.isNaN(c.leaseMs[at]!);
      if (!extended) c.leaseMs[at] = lease.leaseMs;
      if (lease.expiresAtMs !== undefined) c.expiresAtMs[at] = lease.expiresAtMs;
      if (lease.attempt !== undefined) c.attempt[at] = lease.attempt;
      if (lease.value !== undefined) c.value[at] = this.#texts.index(lease.value);
      if (lease.owner !== undefined && !handedIn) c.owner[at] = this.#owners.index(lease.owner);
      if (lease.kind === 'reclaimed') c.flags[at]! |= FLAG.saidReclaimed;
      if (i > 0) this.#observer?.completed(at);
    });
  }

  /** A heartbeat may be answered with a new token: the tenure goes on under it. */
  #renewed(row: number, { token, generation }: LeaseRecord): void {
    const known = this.#columns.generation[row]!;
    if (generation !== undefined && !Number.isNaN(known)) {
      if (this.#generations.encode(generation) !== known) this.#movedTo.set(row, String(generation));
    } else if (token !== undefined && token !== this.#tokens.get(row)) {
      this.#movedTo.set(row, token);
    }
  }

  /** A scan from the start begins the final read anew. */
  #scanning(record: InvokeRecord): void {
    if (record.key !== undefined && this.#scanStartedAt !== undefined) return;
    this.#scanRows = new ScanRows();
    this.#scanComplete = false;
    this.#scanStartedAt = record.t;
  }

  #scanned(record: OkRecord, row: number): void {
    const rows = record.rows ?? [];
    for (const shown of rows) this.#scanRows.add(this.#scanRow(shown, row));
    this.#scanComplete = rows.length < (this.#questions.limits.get(row) ?? 1);
  }

  #scanRow(shown: RowRecord, row: number): ScanRow {
    return {
      item: this.#keys.index(shown.key),
      state: shown.state,
      generation: this.#generations.encode(shown.generation),
      attempts: shown.attempts,
      value: shown.value === undefined ? -1 : this.#texts.index(shown.value),
      completedBy: shown.completedBy,
      enqueuedBy: shown.enqueuedBy,
      row,
    };
  }

  #unanswered(record: ErrorRecord, client: Client): void {
    const { row, rows } = this.#take(record, client);
    const c = this.#columns;
    if (record.type === 'fail') {
      for (let i = row; i < row + rows; i++) {
        c.outcome[i] = OUTCOME.fail;
        c.ret[i] = record.t;
      }
    }
    this.#errors.set(row, record.error);
    if (c.op[row] === OP.scan && client.isScanner) this.#scanFailed = true;
    this.#observer?.completed(row);
  }
}

/** The row with its generation in comparable form. */
function ranked(row: ScanRow, of: (encoded: number) => number): ScanRow {
  const { item, state, generation, attempts, value, completedBy, enqueuedBy, row: read } = row;
  return { item, state, generation: of(generation), attempts, value, completedBy, enqueuedBy, row: read };
}

/** Takes the lane of an invoke on to this call. */
function laneOf(client: Client, { lane: number, call }: InvokeRecord): Lane {
  const lane = client.lanes.get(number);
  if (!lane) {
    const fresh = { call, isOpen: true, row: -1, rows: 0 };
    client.lanes.set(number, fresh);
    return fresh;
  }
  if (call <= lane.call)
    throw new RecordError(`Call ${number}.${call} was invoked twice, or after call ${lane.call} of its lane`);
  if (lane.isOpen) client.left.set(number * MAX_CALLS + lane.call, { row: lane.row, rows: lane.rows });
  lane.call = call;
  lane.isOpen = true;
  return lane;
}
