/**
 * The fast half of a check: whether an object fits a shape, and nothing about what is wrong. The reads of the fields are written
 * out once for each shape, so that they are plain loads; a walk over the table for each record takes four times as long.
 */
import type { Shape } from './shape.ts';

type Test = (value: never) => boolean;

/** The test of a shape. Built when it is first asked, since a run meets few of the shapes that there are. */
export function fitting(shape: Shape): (object: object) => boolean {
  let test = (object: object): boolean => {
    test = written(shape);
    return test(object);
  };
  return (object) => test(object);
}

function written({ fields }: Shape): (object: object) => boolean {
  const tests: Test[] = [];
  const named = (test: Test): string => `test${tests.push(test) - 1}`;
  const body = Object.entries(fields).map(([name, { is, inside, required }]) => {
    const all = [`${named(is)}(value)`];
    if (inside !== undefined) all.push(`${named((value: object) => fitsInside(inside, value))}(value)`);
    const unfit = `!(${all.join(' && ')})`;
    return `value = object[${JSON.stringify(name)}];
if (value === undefined ${required ? `|| ${unfit}` : `? false : ${unfit}`}) return false;`;
  });
  const parameters = tests.map((_, i) => `test${i}`);
  const source = `return (object) => { let value; ${body.join('\n')} return true; };`;
  return new Function(...parameters, source)(...tests) as (object: object) => boolean;
}

function fitsInside(inside: Shape, value: object): boolean {
  if (!Array.isArray(value)) return inside.fits(value);
  for (let i = 0; i < value.length; i++) {
    const one: unknown = value[i];
    if (typeof one !== 'object' || one === null || Array.isArray(one) || !inside.fits(one)) return false;
  }
  return true;
}
