/**
 * Small histories of one key, with commits that only require a version, and whether any order explains them: every order that real time allows is tried, unanswered
 * calls acting or not, against a register that counts versions. Shares nothing with the checkers.
 */
import fc from 'fast-check';
import { onBoard } from './board-script.ts';
import { type Script, script } from './history-script.ts';

export interface RegisterCall {
  readonly op: 'set' | 'append' | 'delete' | 'get' | 'check';
  readonly inv: number;
  readonly ret: number;
  readonly answer: 'accepted' | 'conflict' | 'info';
  /** info: its process was seen to end at `ret`. */
  readonly cut: boolean;
  /** Accepted write: the version made. get: the version shown, 0 for none. */
  readonly version: number;
  /** The version asked for; undefined: any. */
  readonly from: number | undefined;
  /** Write: its own value. get: the value shown. */
  readonly value: number;
}

export const KEY = 'k';
const text = (value: number): string => `"${value}"`;

export function scriptOf(calls: readonly RegisterCall[]): Script {
  const h = script();
  const worker = h.worker('w1');
  for (const call of calls) {
    const { op, inv, ret, answer, version, from, value, cut } = call;
    const life = cut && answer === 'info' ? h.worker('w2') : worker;
    const board = onBoard(life);
    const at = answer === 'info' ? inv : ([inv, ret] as const);
    const common = { at, answer: answer === 'accepted' ? undefined : answer } as const;
    const said = { at: common.at, ...(common.answer === undefined ? {} : { answer: common.answer }) };
    if (op === 'check') board.commit([], { ...said, require: { [KEY]: from! } });
    else if (op === 'get') board.get(KEY, { ...said, shows: version, value: text(value) });
    else {
      const asked = from === undefined ? {} : { from };
      const write = { ...said, ...asked, made: version, value: text(value) };
      if (op === 'delete') board.remove(KEY, write);
      else board[op](KEY, write);
    }
    if (life !== worker) life.exits(ret);
  }
  return h;
}

interface State {
  readonly version: number;
  /** -1: deleted or never written. */
  readonly value: number;
}

/** Whether a register can have given these answers. */
export function isPossible(calls: readonly RegisterCall[]): boolean {
  const end = (call: RegisterCall): number =>
    call.answer === 'info' && !call.cut ? Number.POSITIVE_INFINITY : call.ret;
  const go = (left: readonly RegisterCall[], state: State): boolean => {
    if (left.every(({ answer }) => answer === 'info')) return true;
    return left.some((call) => {
      // Everything that must act and was over before this one began comes first.
      // The effect lies in the interval, so what acts later must not have ended before this one began.
      const rest = left.filter((one) => one !== call);
      const late = rest.some((one) => one.answer !== 'info' && end(one) < call.inv);
      if (late) return false;
      const next = apply(call, state);
      if (next === undefined) return false;
      // What is left and unanswered, and had to act before this one began, can no longer act.
      return go(
        rest.filter((one) => one.answer !== 'info' || !(end(one) < call.inv)),
        next,
      );
    });
  };
  return go(calls, { version: 0, value: -1 });
}

function apply(call: RegisterCall, state: State): State | undefined {
  const { op, answer, from, version, value } = call;
  const current = state.value < 0 ? 0 : state.version;
  if (op === 'get') {
    if (answer === 'info') return state;
    const fits = version === current && (version === 0 || value === state.value);
    return fits ? state : undefined;
  }
  const refused = from !== undefined && from !== current;
  // It only asks for a version, and writes nothing.
  if (op === 'check') return answer === 'info' || refused === (answer === 'conflict') ? state : undefined;
  if (answer === 'conflict') return refused ? state : undefined;
  if (refused) return answer === 'info' ? state : undefined;
  if (answer === 'accepted' && version !== state.version + 1) return undefined;
  return { version: state.version + 1, value: op === 'delete' ? -1 : value };
}

export interface RegisterShape {
  readonly maxCalls: number;
  readonly infos: boolean;
  readonly deletes: boolean;
}

/** Calls as a register would answer them, with overlapping intervals, shaken so that every rule is broken now and then. */
export function registerCalls({ maxCalls, infos, deletes }: RegisterShape): fc.Arbitrary<RegisterCall[]> {
  const raw = fc.record({
    op: fc.constantFrom(
      ...(['set', 'set', 'append', 'get', 'get', 'check'] as const),
      ...(deletes ? (['delete'] as const) : []),
    ),
    gap: fc.integer({ min: 0, max: 6 }),
    before: fc.integer({ min: 0, max: 8 }),
    after: fc.integer({ min: 0, max: 8 }),
    conditional: fc.boolean(),
    /** Mostly none. */
    shake: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1, -1, 2),
    shaken: fc.constantFrom('version' as const, 'from' as const, 'answer' as const, 'value' as const),
    info: infos ? fc.constantFrom(false, false, true) : fc.constant(false),
    acts: fc.boolean(),
    cut: fc.boolean(),
  });
  return fc.array(raw, { minLength: 2, maxLength: maxCalls }).map((list) => {
    let now = 20;
    let state: State = { version: 0, value: -1 };
    return list.map((one, i): RegisterCall => {
      now += one.gap;
      const current = state.value < 0 ? 0 : state.version;
      const shake = (what: typeof one.shaken, value: number): number =>
        one.shaken === what ? Math.max(0, value + one.shake) : value;
      const common = { inv: now - one.before, ret: now + one.after, cut: one.cut };
      if (one.op === 'get') {
        const version = shake('version', current);
        const value = shake('value', Math.max(0, state.value));
        return { ...common, op: 'get', answer: 'accepted', version, from: undefined, value };
      }
      const conditional = one.op === 'check' || (one.conditional && one.op !== 'append');
      // A requirement that does not hold, and is accepted all the same.
      const blind = one.op === 'check' && one.shaken === 'value';
      const from = conditional ? shake(blind ? 'value' : 'from', current) : undefined;
      const refused = from !== undefined && from !== current;
      const flip = (one.shaken === 'answer' || blind) && one.shake !== 0 && conditional;
      if (refused !== flip && !one.info)
        return { ...common, op: one.op, answer: 'conflict', version: 0, from, value: i };
      if (one.op === 'check') {
        const answer = one.info ? 'info' : 'accepted';
        return { ...common, op: 'check', answer, version: 0, from, value: i };
      }
      const made = state.version + 1;
      if (!one.info || (one.acts && !refused)) state = { version: made, value: one.op === 'delete' ? -1 : i };
      if (one.info) return { ...common, op: one.op, answer: 'info', version: 0, from, value: i };
      return {
        ...common,
        op: one.op,
        answer: 'accepted',
        version: Math.max(1, shake('version', made)),
        from,
        value: i,
      };
    });
  });
}
