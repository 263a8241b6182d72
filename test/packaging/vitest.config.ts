import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** `npm run test:more -- packaging`: what takes minutes, and root on Debian. `npm test` has the rest of this folder. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..', '..'),
    include: ['test/packaging/*.packaging.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 1_200_000,
    reporters: ['verbose'],
  },
})
