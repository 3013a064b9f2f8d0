/** The version of this package. */
import { createRequire } from 'node:module';

export const VERSION: string = (
  createRequire(import.meta.url)('fencepost/package.json') as { version: string }
).version;
