/**
 * Writes the history of a correct store of any size, for the benches and studies of the check: 8 workers; enqueue, claim,
 * heartbeat and complete for each item; every 30th lease runs out and its item is granted once more.
 */
import { closeSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { seal } from '../dist/harness/history/checksum.js';

const WORKERS = 8;
const LEASE_MS = 150;
const CALL_NS = 45_900;
const PAGE = 1000;
const LOST_EVERY = 30;
const BEGIN = 1e9;
/** What the check of such a history may use. */
const BUDGET = { maxMs: 3_600_000, maxMemoryMib: 2048 };

/**
 * Fills `folder`. `isRun`: with the supervisor's file and the scanner's, as a run leaves them; obligations are counted then.
 * Answers the number of operations, that of the final read left out.
 */
export function writeHistory(folder, operations, { isRun = false } = {}) {
  mkdirSync(folder, { recursive: true });
  const items = Math.floor(operations / 4);
  const files = [];
  const rows = [];
  let written = 0;
  let end = BEGIN;
  for (let worker = 1; worker <= WORKERS; worker++) {
    const client = new Client(folder, worker, `w${worker}`, 'worker');
    for (let item = worker; item <= items; item += WORKERS) work(client, item, isRun ? rows : undefined);
    written += client.calls;
    end = Math.max(end, client.t);
    files.push(client.end());
  }
  if (!isRun) return written;
  files.push(scan(folder, rows, end));
  supervise(folder, files, end);
  return written;
}

/** One item from its enqueue to its completion. */
function work(client, item, rows) {
  const { label } = client;
  const key = `work/${client.incarnation}-${item}`;
  const value = `{"task":"${key}"}`;
  const enqueuedBy = client.call('enqueue', { items: [{ key, value, maxAttempts: 50 }] }, {});
  let generation = 1;
  const lease = () => ({
    key,
    generation,
    owner: label,
    leaseMs: LEASE_MS,
    attempt: generation,
    expiresAtMs: Math.floor(client.t / 1e6) + LEASE_MS,
    value,
  });
  const claim = (kind) =>
    client.call(
      'claimNext',
      { prefix: 'work/', limit: 1, leaseMs: LEASE_MS },
      { leases: [{ ...lease(), kind }] },
    );
  claim('fresh');
  if (item % LOST_EVERY === 0) {
    client.t += (LEASE_MS + 10) * 1e6;
    generation = 2;
    claim('reclaimed');
  }
  client.call('heartbeat', { key, generation }, { leases: [lease()] });
  const result = `{"by":"${client.next}"}`;
  const completedBy = client.call('complete', { key, generation, value: result }, {});
  rows?.push({
    key,
    state: 'done',
    generation,
    attempts: generation,
    value: result,
    completedBy,
    enqueuedBy,
  });
}

/** The final read, in pages. */
function scan(folder, rows, t) {
  const scanner = new Client(folder, WORKERS + 1, 'scan', 'scanner', t);
  for (let from = 0; ; from += PAGE) {
    const page = rows.slice(from, from + PAGE);
    const after = from === 0 ? {} : { key: rows[from - 1].key };
    scanner.call('scan', { ...after, limit: PAGE }, { rows: page });
    if (page.length < PAGE) return scanner.end();
  }
}

function supervise(folder, files, end) {
  const log = new File(folder, 'supervisor');
  const at = (type, t, fields) => log.write({ type, t, ...fields });
  const methods = ['enqueue', 'claimNext', 'heartbeat', 'complete', 'scan'];
  at('run', BEGIN, {
    format: 1,
    run: 'bench',
    wallMs: 1_700_000_000_000,
    seed: 1,
    scenario: { name: 'bench', workers: WORKERS, lanes: 1, leaseMs: LEASE_MS, check: BUDGET },
    declares: { embedded: true },
    methods,
  });
  for (const phase of ['prepare', 'lead-in', 'main']) at('phase', BEGIN, { phase });
  for (const { file, incarnation, label, role } of files) {
    at('spawn', BEGIN, { incarnation, label, role, pid: incarnation, file, why: 'start' });
    at('ready', BEGIN, { incarnation });
  }
  for (const phase of ['heal', 'drain', 'scan', 'done']) at('phase', end, { phase });
  for (const { incarnation } of files) at('exit', end + 1e12, { incarnation, code: 0, signal: null });
  at('manifest', end + 1e12, {
    files: files.map(({ file, incarnation, bytes }) => ({ file, incarnation, bytes })),
  });
  log.close();
}

class File {
  constructor(folder, name) {
    this.file = `${name}.ndjson`;
    this.path = join(folder, this.file);
    this.fd = openSync(this.path, 'w');
    this.lines = [];
    this.records = 0;
  }

  write(record) {
    this.lines.push(seal(JSON.stringify(record), this.records++));
    if (this.lines.length >= 5_000) this.flush();
  }

  flush() {
    writeSync(this.fd, this.lines.splice(0).join(''));
  }

  close() {
    this.flush();
    closeSync(this.fd);
    return statSync(this.path).size;
  }
}

class Client extends File {
  constructor(folder, incarnation, label, role, t = BEGIN) {
    super(folder, `${label}-${incarnation}`);
    Object.assign(this, { incarnation, label, role, t, calls: 0 });
    this.write({ type: 'header', format: 1, run: 'bench', incarnation, label, role, t });
  }

  get next() {
    return `${this.incarnation}.0.${this.calls}`;
  }

  /** Answers the request id. */
  call(op, fields, answer) {
    const request = this.next;
    const id = { lane: 0, call: this.calls };
    this.write({ type: 'invoke', t: this.t + 900, ...id, op, ...fields });
    this.t += CALL_NS;
    this.write({ type: 'ok', t: this.t, ...id, accepted: true, ...answer });
    this.calls += 1;
    return request;
  }

  end() {
    this.write({ type: 'end', t: this.t, records: this.records });
    const bytes = this.close();
    const { file, incarnation, label, role } = this;
    return { file, incarnation, label, role, bytes };
  }
}
