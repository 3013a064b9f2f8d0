/**
 * Background jobs under steady kills: 4 processes on one file start 20,000 jobs, one of them is killed or stopped for too long several times a second.
 * In the end every count has to add up: no job runs twice, none that is over changes, no result is forgotten, none of a process that
 * lived is lost. The same, smaller, with managers that are broken in one way each, to show that it would be noticed.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { createJobManager, createSqliteJobStore } from '../../dist/src/index.js';
import { judge } from './jobs-judge.mjs';
import { Memory } from './memory.mjs';

const PROCESSES = 4;
const JOBS = Number(process.env.SOAK_JOBS ?? 20_000);
const MUTANT_JOBS = 1500;
const STALE_MS = 2000;
const FAULT_EVERY_MS = 250;
const MAX_MS = 600_000;
const WORKER = new URL('./jobs-worker.mjs', import.meta.url);

/** Answers how many parts of the study failed. */
export async function jobs() {
  const memory = new Memory('jobs');
  let failed = 0;
  for (const broken of ['', 'liveness', 'revision', 'false', 'rerun']) {
    if (memory.has({ broken, jobs: broken === '' ? JOBS : MUTANT_JOBS })) continue;
    const count = broken === '' ? JOBS : MUTANT_JOBS;
    const { findings, ...seen } = await chaos(count, broken);
    const isRight = broken === '' ? findings.length === 0 : findings.length > 0;
    if (!isRight) failed += 1;
    else memory.add({ broken, jobs: count, ...seen });
    console.log(
      `  ${isRight ? 'ok  ' : 'FAIL'} ${broken === '' ? 'as it is' : `broken: ${broken}`}  ${JSON.stringify(seen)}`,
    );
    for (const finding of findings.slice(0, 3)) console.log(`         ${finding}`);
  }
  return failed;
}

async function chaos(count, broken) {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-soak-jobs-'));
  const file = join(folder, 'jobs.db');
  const store = createSqliteJobStore({ file });
  const db = new Database(file, { timeout: 10_000 });
  db.exec(`CREATE TABLE changes (id TEXT, before TEXT, now TEXT);
    CREATE TRIGGER changed AFTER UPDATE OF status ON background_jobs WHEN OLD.status <> NEW.status
    BEGIN INSERT INTO changes VALUES (OLD.job_id, OLD.status, NEW.status); END`);
  const total = db.prepare('SELECT count(*) FROM background_jobs').pluck();
  const disturbed = new Set();
  const running = new Map();
  const faults = { killed: 0, stopped: 0 };
  let lives = 0;
  const begin = () => {
    lives += 1;
    const label = `p${lives}`;
    const env = {
      ...process.env,
      FILE: file,
      LOG: join(folder, `${label}.log`),
      LABEL: label,
      STALE_MS,
      BROKEN: broken,
    };
    running.set(label, fork(WORKER, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }));
  };
  const ended = async (child) => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  const began = Date.now();
  try {
    for (let i = 0; i < PROCESSES; i += 1) begin();
    while (total.get() < count && Date.now() - began < MAX_MS) {
      await sleep(FAULT_EVERY_MS);
      const labels = [...running.keys()];
      const label = labels[Math.floor(Math.random() * labels.length)];
      const child = running.get(label);
      disturbed.add(label);
      if (Math.random() < 0.1) {
        faults.stopped += 1;
        child.kill('SIGSTOP');
        await sleep(1.5 * STALE_MS);
        child.kill('SIGCONT');
        continue;
      }
      faults.killed += 1;
      child.kill('SIGKILL');
      await ended(child);
      running.delete(label);
      begin();
    }
    for (const child of running.values()) child.send('stop');
    await Promise.all([...running.values()].map(ended));
    running.clear();
    await lastBoots(store, join(folder, 'last.log'));
    const all = await read(store);
    const notes = notesIn(folder);
    const changes = db.prepare('SELECT * FROM changes').all();
    const findings = judge({ jobs: all, notes, changes, disturbed });
    const inState = (state) => all.filter(({ status }) => status === state).length;
    const told = notes.filter(({ note }) => note === 'told').length;
    return {
      findings,
      started: all.length,
      completed: inState('completed'),
      lost: inState('lost'),
      delivered: all.filter(({ delivered }) => delivered).length,
      deliveries: told,
      ...faults,
      processes: lives,
      seconds: Math.round((Date.now() - began) / 1000),
    };
  } finally {
    for (const child of running.values()) child.kill('SIGKILL');
    db.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Healthy starts, until nothing is left to do. */
async function lastBoots(store, log) {
  const deliver = ({ jobId }) => appendFileSync(log, `${JSON.stringify({ note: 'told', id: jobId })}\n`);
  for (let boot = 1; boot <= 5; boot += 1) {
    const manager = createJobManager({ store, observe() {}, deliver });
    const { rehydrated } = await manager.reconcileOnStart();
    await manager.shutdown();
    if (rehydrated === 0) break;
  }
}

async function read(store) {
  const all = [];
  let page = { next: undefined };
  do {
    page = await store.list(undefined, {
      limit: 1000,
      ...(page.next === undefined ? {} : { after: page.next }),
    });
    for (const job of page.jobs) {
      all.push({ ...job, result: job.result?.value, processLabel: job.origin.label });
    }
  } while (page.next !== undefined);
  return all;
}

function notesIn(folder) {
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1));
  return lines.map((line) => JSON.parse(line));
}
