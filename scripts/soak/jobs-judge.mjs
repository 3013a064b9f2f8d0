/**
 * What must hold of background jobs whatever is killed (spec/0-conventions.md 7, part 8). Pure.
 *
 * `notes` is what the processes wrote down themselves before they went on: `started`, `ran`, `ended`, `told` of a job. `changes` is what a trigger in
 * the database saw. `disturbed` are the processes that were killed, or stopped for longer than a heartbeat may be late.
 */

const TERMINAL = ['completed', 'failed', 'cancelled', 'lost'];

/** Answers what does not hold, one text each. */
export function judge({ jobs, notes, changes, disturbed }) {
  const findings = [];
  const byId = new Map(jobs.map((job) => [job.jobId, job]));
  const times = new Map();
  for (const { note, id } of notes) {
    const key = `${note} ${id}`;
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  const count = (note, id) => times.get(`${note} ${id}`) ?? 0;

  for (const { note, id } of notes) {
    const job = byId.get(id);
    if (note === 'started' && job === undefined)
      findings.push(`${id} was acknowledged and is not in the store`);
    if (note === 'ended' && job?.status !== 'completed')
      findings.push(`${id} was seen to complete, and is ${job?.status}`);
    if (note === 'told' && job?.status !== 'completed')
      findings.push(`${id} was handed back, and is ${job?.status}`);
  }
  for (const { jobId, status, delivered, result, processLabel } of jobs) {
    if (count('ran', jobId) > 1) findings.push(`${jobId} ran ${count('ran', jobId)} times`);
    if (!TERMINAL.includes(status)) findings.push(`${jobId} is ${status} after the last start`);
    if (status === 'failed') findings.push(`${jobId} failed, and no job of this study does`);
    if (status === 'completed' && result !== jobId) findings.push(`${jobId} has the result ${result}`);
    if (status === 'completed' && count('ran', jobId) === 0)
      findings.push(`${jobId} completed and never ran`);
    if (status === 'completed' && count('told', jobId) === 0)
      findings.push(`${jobId} completed, and nobody was told`);
    if (status === 'completed' && !delivered) findings.push(`${jobId} was never marked as delivered`);
    if (status === 'lost' && !disturbed.has(processLabel))
      findings.push(`${jobId} is lost, and its process lived`);
  }
  for (const { id, before, now } of changes) {
    if (TERMINAL.includes(before)) findings.push(`${id} was ${before} and became ${now}`);
  }
  return findings;
}
