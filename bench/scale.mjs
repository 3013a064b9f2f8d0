/**
 * One check of a large history, as `fencepost check` does it, in a process of its own, so that its peak memory is its own.
 *
 *   npm run build && node bench/scale.mjs FOLDER
 *
 * Prints one line of JSON. `npm run soak -- scale` runs it for 10^5, 10^6 and 10^7 operations.
 */
import { checkDirectory } from '../dist/harness/run/check.js';

const began = process.hrtime.bigint();
const results = await checkDirectory(process.argv[2]);
const seconds = Number(process.hrtime.bigint() - began) / 1e9;
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const { verdict, reasons, guarantees, history, obligations } = results;
console.log(
  JSON.stringify({
    operations: history.operations,
    records: history.records,
    seconds,
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    peakMib: Math.round(maxRSS / 1024),
    verdict,
    broken: guarantees.reduce((sum, { broken }) => sum + broken, 0),
    judged: guarantees.filter(({ opportunities }) => opportunities > 0).length,
    obligations: obligations.length,
    reasons: [...new Set(reasons.map(({ code }) => code))],
  }),
);
