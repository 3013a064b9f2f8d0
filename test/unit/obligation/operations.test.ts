/** O10 operations accepted, and which parts are asked. */
import { describe, expect, it } from 'vitest';
import { OBLIGATION_IDS, OBLIGATIONS } from '../../../harness/obligation/registry.ts';
import { refused, Script } from '../../support/records.ts';
import { result, results, seen } from './seen.ts';

describe('O10 operations accepted', () => {
  const during = (stop: readonly [number, number?] | undefined, inv: number, ret: number) => {
    const script = new Script().phase('main', 0);
    const w1 = script.worker('w1');
    if (stop) script.stop(w1, ...stop);
    script.worker('w2').complete(inv, ret, 'a', 1);
    return seen('O10.complete', script);
  };

  it('counts a complete that was sent and accepted while a worker was stopped', () => {
    expect(during([10, 100], 20, 21)).toBe(1);
    expect(during([10], 20, 21)).toBe(1);
  });

  it('does not count one that began before, ended after, or met no stop', () => {
    expect(during([10, 100], 9, 11)).toBe(0);
    expect(during([10, 100], 99, 101)).toBe(0);
    expect(during(undefined, 20, 21)).toBe(0);
  });

  it('counts one while two processes of a label were alive', () => {
    const script = new Script().phase('main', 0);
    const w1 = script.worker('w1');
    const twin = script.worker('w1', { at: 50, why: 'twin', replaces: w1 });
    const w2 = script.worker('w2').complete(20, 21, 'a', 1).complete(60, 61, 'b', 1).complete(90, 91, 'c', 1);
    script.exit(w1, 80);
    w2.heartbeat(70, 71, 'd', 1).heartbeat(75, 76, 'd', 1, refused('stale'));
    expect(seen('O10.complete', script)).toBe(1);
    expect(seen('O10.heartbeat', script)).toBe(1);
    expect(twin.label).toBe('w1');
  });

  it('does not take a respawn for a twin', () => {
    const script = new Script().phase('main', 0);
    const w1 = script.worker('w1');
    script.kill(w1, 10, 12);
    script.worker('w1', { at: 50, why: 'respawn', replaces: w1 }).complete(60, 61, 'a', 1);
    expect(seen('O10.complete', script)).toBe(0);
  });

  it('does not believe a fault note', () => {
    const script = new Script().phase('main', 0);
    script.fault('pause', 10).worker('w1').complete(11, 12, 'a', 1);
    expect(seen('O10.complete', script)).toBe(0);
  });

  it('counts every other kind of call in main only', () => {
    const script = new Script().phase('main', 10);
    script
      .worker('w1')
      .enqueue(1, 2, ['a'])
      .enqueue(11, 12, ['b', 'c'])
      .grant(13, 14, 'b', 1)
      .nack(15, 16, 'b', 1);
    expect(seen('O10.nack', script)).toBe(1);
    expect(seen('O10.enqueue', script)).toBeGreaterThanOrEqual(1);
    expect(result('O10.release', script)).toMatchObject({ seen: 0, min: 1, met: false });
  });

  it('asks only for calls that the store has and the workload makes', () => {
    const ids = (methods: Parameters<typeof results>[1]) =>
      results(new Script(), methods)
        .map(({ id }) => id)
        .filter((id) => id.startsWith('O10.'));
    expect(ids({ methods: ['claimNext', 'complete', 'scan', 'forceRelease'] })).toEqual([
      'O10.complete',
      'O10.heartbeat',
      'O10.claimNext',
    ]);
    expect(result('O10.heartbeat', new Script(), { methods: ['claimNext', 'complete'] }).notTested).toBe(
      'the store has no `heartbeat`',
    );
  });
});

describe('registry', () => {
  it('has the default minima of spec/checking.md 3.8', () => {
    const minima = Object.fromEntries(
      OBLIGATIONS.filter(({ id }) => !id.startsWith('O10')).map(({ id, min }) => [id, min]),
    );
    expect(minima).toEqual({
      O1: 20,
      O2: 10,
      O3: 5,
      'O4.complete': 5,
      'O4.heartbeat': 3,
      'O4.release': 3,
      O5: 50,
      'O6.acted': 1,
      'O6.not': 1,
      'O7.late': 5,
      'O7.after': 1,
      O11: 3,
      O8: 1,
      O12: 5,
      'O13.before-send': 3,
      'O13.in-transaction': 3,
      'O13.after-send': 3,
      'O13.after-reply': 3,
      'O13.matrix': 1,
      'O14.again': 1,
      'O14.dead': 1,
      'O15.conflicts': 10,
      'O15.overlap': 10,
      'O16.restart': 1,
      O17: 3,
      'O18.killed': 10,
      'O18.stopped': 5,
      'O19.drain': 2,
      'O19.starve': 2,
      'O19.slow': 2,
      'O19.lose-reply': 2,
      'O19.hog': 2,
      'O19.stall': 2,
      'O19.disk-full': 2,
      'O20.killed': 10,
      'O20.reclaimed': 5,
      'O20.stale': 5,
      'O20.renewed': 10,
      'O20.renewedTwice': 5,
      'O20.done': 20,
      'O20.failed': 5,
      'O20.parked': 2,
      'O20.cancelled': 3,
      'O20.scheduled': 5,
    });
    expect(OBLIGATIONS.filter(({ id }) => id.startsWith('O10')).every(({ min }) => min === 1)).toBe(true);
  });

  it('names every part and every whole', () => {
    expect(OBLIGATION_IDS).toEqual(
      expect.arrayContaining(['O1', 'O4', 'O4.complete', 'O10', 'O10.enqueue', 'O17']),
    );
    expect(new Set(OBLIGATION_IDS).size).toBe(OBLIGATION_IDS.length);
  });

  it('says nothing was seen in an empty history', () => {
    expect(results(new Script()).every(({ seen: count, met }) => count === 0 && !met)).toBe(true);
  });
});
