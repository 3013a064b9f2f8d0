/**
 * A queue as many of us have written it: one table, one UPDATE to claim, one UPDATE to complete. It looks right and passes its
 * unit tests. Try it: `npx fencepost run scenarios/kill-mid-lease.yaml --store examples/naive-store.mjs`
 */
import Database from 'better-sqlite3';

export const declares = { clock: 'store-wall', embedded: true };

export default function open({ namespace, location }) {
  const db = new Database(`${location}/${namespace}.db`, { timeout: 5000 });
  db.pragma('journal_mode = WAL');
  db.exec(
    'CREATE TABLE IF NOT EXISTS items (key TEXT PRIMARY KEY, state TEXT, owner TEXT, generation INT, ends INT, result TEXT)',
  );
  const yes = (value) => ({ accepted: true, value });
  const no = (code) => ({ accepted: false, refusal: { code, message: code } });
  const add = db.prepare(`INSERT INTO items VALUES (?, 'open', NULL, 0, 0, NULL)`);
  const known = db.prepare('SELECT 1 FROM items WHERE key = ?');
  const claim =
    db.prepare(`UPDATE items SET state = 'leased', owner = ?, generation = generation + 1, ends = ?
    WHERE key = (SELECT key FROM items WHERE key LIKE ? AND (state = 'open' OR (state = 'leased' AND ends <= ?)) LIMIT 1)
    RETURNING key, generation`);
  const complete = db.prepare(
    `UPDATE items SET state = 'done', result = ? WHERE key = ? AND state = 'leased'`,
  );
  const page = db.prepare('SELECT * FROM items WHERE key > ? ORDER BY key LIMIT ?');
  return {
    nowMs: () => Date.now(),
    close: () => db.close(),
    work: {
      enqueue: db.transaction((items) => {
        if (items.some(({ key }) => known.all(key).length > 0)) return no('duplicate');
        for (const { key } of items) add.run(key);
        return yes();
      }).immediate,
      claimNext(prefix, { owner, leaseMs }) {
        const [row] = claim.all(owner, Date.now() + leaseMs, `${prefix}%`, Date.now());
        if (!row) return no('empty');
        return yes([
          { key: row.key, owner, token: `${row.generation}`, generation: BigInt(row.generation), leaseMs },
        ]);
      },
      complete: (lease, { result }) =>
        complete.run(JSON.stringify(result), lease.key).changes ? yes() : no('completed'),
      scan: ({ after = '', limit }) =>
        page
          .all(after, limit)
          .map(({ key, state, result }) => ({ key, state, ...(result && { result: JSON.parse(result) }) })),
    },
  };
}
