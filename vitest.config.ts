import { defineConfig } from 'vitest/config'

/** Where the counts of the run are written for whoever asks, as `.ci/run` does. */
const report = process.env['TEST_REPORT']

const all = {
  pool: 'forks' as const,
  testTimeout: 30_000,
  // A run of a few files may install PostgreSQL in its first hook.
  hookTimeout: 180_000,
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
    projects: [
      {
        test: {
          ...all,
          name: 'tests',
          globalSetup: ['test/support/global-setup.ts'],
          include: [
            'src/**/*.test.ts',
            'test/**/*.test.ts',
            'tools/**/*.test.ts',
            'bench/**/*.test.ts',
            'console/**/*.test.ts',
          ],
          exclude: ['test/clients/**', '**/node_modules/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...all,
          name: 'clients',
          include: ['test/clients/*.test.ts'],
          // Behind all others, and two clients at a time: they are programs that want a core each.
          sequence: { groupOrder: 1 },
          maxConcurrency: 2,
        },
      },
    ],
  },
})
