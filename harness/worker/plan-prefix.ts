/** Entries under this prefix hold plans: workers write them, and the scanner reads every version. */
export const PLAN_PREFIX = 'plan/';
