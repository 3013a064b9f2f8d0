/** `blackboard plan`: what it shows and does, exit codes, JSON. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../support/world.ts';
import { blackboard } from './command.ts';

let world: World;
beforeEach(() => {
  world = createWorld('sqlite');
});
afterEach(() => world.end());
const plan = (verb: string, ...args: string[]) =>
  blackboard(['plan', verb, world.file, ...args], { clock: world.clock });
const data = async (verb: string, ...args: string[]) => {
  const { stdout, code } = await plan(verb, ...args, '--json');
  return { code, ...(JSON.parse(stdout) as object) };
};

describe('plan', () => {
  it('a person makes a plan, takes a task, closes it', async () => {
    expect(await plan('show')).toMatchObject({ code: 66, stdout: '' });
    expect(await plan('add', 'a')).toMatchObject({ code: 66 });
    const made = await plan('add', 'write the notes', 'tag', '--new', 'release 7', '--as', 'ann');
    expect(made).toEqual({
      code: 0,
      stdout: 'plan main: release 7\n[ ] 0. write the notes\n[ ] 1. tag\nnext claimable: 0\n',
      stderr: '',
    });
    expect((await plan('claim', '--as', 'ann')).stdout).toBe(
      'claimed task 0: write the notes\nuntil 1970-01-01T00:15:00.000Z, attempt 1, generation 1, epoch 1\n',
    );
    expect((await plan('claim', '0', '--as', 'ann', '--renew')).stdout).toMatch(/^renewed task 0/);
    expect(await plan('claim', '0', '--as', 'ben')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Refused \(held\): Expected task 0 to be free/),
    });
    expect(await plan('done', '0', 'x', '--as', 'ben')).toMatchObject({ code: 1 });
    expect(await plan('done', '0', 'x', '--as', 'ann', '--generation', '7')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Refused (stale)'),
    });
    expect((await plan('done', '0', 'see NOTES.md', '--as', 'ann')).stdout).toContain(
      '[x] 0. write the notes → see',
    );
    await plan('claim', '1', '--as', 'ben');
    expect((await plan('fail', '1', 'no access', '--as', 'ben')).stdout).toContain('[ ] 1. tag (error after');
    expect(
      (await plan('schedule', '1', '--due', '2026-12-24', '--reason', 'before the holidays')).stdout,
    ).toContain('(due 2026-12-24T00:00:00.000Z)');
    expect((await plan('cancel', '1', 'no need')).stdout).toContain('plan complete: 1 done, 1 cancelled');
    expect((await plan('add', 'publish')).stdout).toContain('[ ] 2. publish');
  });

  it('JSON: the snapshot, the claim, the refusal', async () => {
    await plan('add', 'a', '--new', 'r');
    expect(await data('claim', '--as', 'ann', '--lease-ms', '5000')).toMatchObject({
      code: 0,
      accepted: true,
      claim: {
        index: 0,
        text: 'a',
        owner: 'ann',
        generation: 1,
        epoch: 1,
        leaseEndsAtMs: 5000,
        kind: 'claimed',
      },
    });
    expect(await data('claim', '--as', 'ben')).toMatchObject({
      code: 1,
      accepted: false,
      refusal: { code: 'no-free-task' },
    });
    expect(await data('done', '0', 'x', '--as', 'ann')).toMatchObject({
      accepted: true,
      plan: expect.any(String),
    });
    expect(await data('show')).toMatchObject({ planId: 'main', complete: true, tasks: [{ status: 'done' }] });
    expect((await plan('show', '--plan', 'other', '--json')).stdout).toBe('null\n');
    expect((await plan('show', '--plan', 'other')).stdout).toBe('no plan yet\n');
  });

  it('what is typed wrong is usage; what the plan does not allow is a refusal', async () => {
    await plan('add', 'a', 'b', '--new', 'r');
    for (const args of [
      ['claim', 'x'],
      ['claim', '--as', ''],
      ['claim', '--lease-ms', '0'],
      ['done', '0', ' '],
      ['done', '0'],
      ['schedule', '0', '--due', 'tomorrow', '--reason', 'r'],
      ['schedule', '0', '--start', '2026-12-25', '--due', '2026-12-24', '--reason', 'r'],
      ['schedule', '0', '--due', '2026-12-24T12:00', '--reason', 'r'],
      ['add', 'c', '--replace'],
      ['add', ' '],
    ]) {
      expect([args, (await plan(args[0] ?? '', ...args.slice(1))).code]).toEqual([args, 64]);
    }
    for (const args of [
      ['claim', '7'],
      ['claim', '0', '--text', 'other'],
      ['cancel', '0', 'r', '--text', 'other'],
      ['add', 'c', '--new', 'again'],
      ['done', '1', 'x'],
    ]) {
      expect([args, (await plan(args[0] ?? '', ...args.slice(1))).code]).toEqual([args, 1]);
    }
    expect((await plan('add', 'c', '--new', 'again', '--replace')).stdout).toContain(
      'plan main: again\n[ ] 0. c',
    );
  });

  it('a failed task whose attempts are used up stays failed', async () => {
    await plan('add', 'a', '--new', 'r');
    await plan('claim', '--as', 'ann', '--attempts', '1');
    expect((await plan('fail', '0', 'broke', '--as', 'ann', '--attempts', '1')).stdout).toContain(
      'plan complete: 0 done, 1 failed',
    );
    expect(await plan('claim', '--as', 'ann')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('plan complete'),
    });
  });

  it('every command shows an example', async () => {
    for (const verb of ['show', 'add', 'claim', 'done', 'fail', 'cancel', 'schedule']) {
      const { stdout, code } = await blackboard(['plan', verb, '--help']);
      expect(code).toBe(0);
      expect(stdout).toMatch(/Example:\n {2}\$ blackboard plan /);
    }
    expect((await blackboard(['plan', '--help'])).stdout).toContain(
      '$ blackboard plan claim board.db --as ann',
    );
  });

  it('texts that workers wrote cannot move the cursor', async () => {
    await plan('add', 'x\u001b[2J\u202e', '--new', 'r\u009b31m');
    for (const args of [['show'], ['claim'], ['show', '--json'], ['cancel', '9', 'r']]) {
      const { stdout, stderr } = await plan(args[0] ?? '', ...args.slice(1));
      for (const sign of ['\u001b', '\u009b', '\u202e']) expect(stdout + stderr).not.toContain(sign);
    }
  });
});
