/** The floor: the fewest prepared statements that claim, fence and complete on our tables, with the same events. */

const CLAIM = `UPDATE items SET state = 'leased', generation = generation + 1, owner = ?, attempts = attempts + 1,
  acquired_at_ms = ?, heartbeat_at_ms = NULL, expires_at_ms = ?, lease_ms = ?
  WHERE id = (SELECT id FROM items WHERE state = 'open' AND eligible_at_ms <= ? ORDER BY eligible_at_ms, id LIMIT 1)
  RETURNING key, generation, payload`;
const COMPLETE = `UPDATE items SET state = 'done', expires_at_ms = NULL, result = ?, completed_by = ?
  WHERE key = ? AND generation = ? AND owner = ? AND state = 'leased' AND expires_at_ms > ?`;
const EVENT = 'INSERT INTO events (at_ms, kind, key, author, generation) VALUES (?, ?, ?, ?, ?)';

/** Prepares the two halves of a cycle on a connection. */
export function prepareRawCycle(db, leaseMs) {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const claim = db.prepare(CLAIM);
  const complete = db.prepare(COMPLETE);
  const event = db.prepare(EVENT);
  return {
    /** Answers `{ key, generation, payload }`, or undefined when there is nothing. */
    claim(owner) {
      begin.run();
      const at = Date.now();
      const [row] = claim.all(owner, at, at + leaseMs, leaseMs, at);
      if (row !== undefined) event.run(at, 'claimed', row.key, owner, row.generation);
      commit.run();
      return row;
    },
    complete(row, owner, request, result) {
      begin.run();
      const at = Date.now();
      const { changes } = complete.run(result, request, row.key, row.generation, owner, at);
      if (changes !== 1) throw new Error(`Expected to hold ${row.key}, lost it.`);
      event.run(at, 'completed', row.key, owner, row.generation);
      commit.run();
    },
  };
}
