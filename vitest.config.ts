import { defineConfig } from 'vitest/config';

/**
 * Two projects. `unit` runs in parallel on TypeScript source, with a fake clock and no child processes.
 * `process` runs one file at a time against the compiled package (real forks, signals and deadlines).
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          setupFiles: ['test/support/seed.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'process',
          include: ['test/process/**/*.test.ts'],
          globalSetup: ['test/support/require-build.ts'],
          fileParallelism: false,
          maxConcurrency: 2,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
