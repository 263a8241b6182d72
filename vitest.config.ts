import { defineConfig } from 'vitest/config'

/** Where the counts of the run are written for whoever asks, as `.ci/run` does. */
const report = process.env['TEST_REPORT']

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'test/**/*.test.ts',
      'tools/**/*.test.ts',
      'bench/**/*.test.ts',
      'console/**/*.test.ts',
    ],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    // A run of a few files may install PostgreSQL in its first hook.
    hookTimeout: 180_000,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
})
