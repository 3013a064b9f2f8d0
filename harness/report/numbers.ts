/** Numbers for people: 3,140 · 1.2 s · 0.10 %. Undefined is shown as what it is: there is no such number. Pure. */

const GROUPED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** `3,140`. */
export function count(value: number): string {
  return GROUPED.format(value);
}

/** `20 ms`, `1.4 ms`, `0.42 ms`, `1.2 s`, `3 min 5 s`; `none` for undefined. */
export function milliseconds(value: number | undefined, none = 'none'): string {
  if (value === undefined) return none;
  if (value < 0.995) return `${value.toFixed(2)} ms`;
  if (value < 9.95) return `${value.toFixed(1)} ms`;
  if (value < 999.5) return `${value.toFixed(0)} ms`;
  return seconds(value);
}

/** `0.4 s`, `14.2 s`, `3 min 5 s`. */
export function seconds(ms: number): string {
  if (ms < 119_950) return `${(ms / 1000).toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** `12 %`, `1.8 %`, `0.10 %`, `0.003 %` of a share from 0 to 1; `none` for undefined. */
export function percent(share: number | undefined, none = 'none'): string {
  if (share === undefined) return none;
  const value = share * 100;
  if (value === 0) return '0 %';
  if (value >= 9.95) return `${value.toFixed(0)} %`;
  if (value >= 0.995) return `${value.toFixed(1)} %`;
  if (value >= 0.00995) return `${value.toFixed(2)} %`;
  return `${value.toPrecision(1)} %`;
}

/** `1 worker`, `4 workers`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** `12.001`: seconds with milliseconds, for the story of a violation. */
export function instant(ms: number): string {
  return (ms / 1000).toFixed(3);
}
