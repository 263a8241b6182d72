import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import LongestFirst from './test/support/run/longest-first.ts'
import { sortTestFiles } from './test/support/run/own-process.ts'
import { isLongFile, isLongSuite } from './test/support/run/suite.ts'
import { PATIENCE_MS } from './test/support/patience.ts'

/** Where the counts of the run are written for whoever asks, as `.ci/run` does. */
const report = process.env['TEST_REPORT']

// For test processes and the threads that they start, as for a gateway's (bin/tollgate.js): without it the thread of each
// store strips the types of its sources again, which is half of the work of opening one.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules', '.cache', 'tollgate')

/** For each test file. A limit is only met by what never ends: on a busy machine everything takes longer. */
const patience = {
  testTimeout: 600_000,
  // A run of a few files may install PostgreSQL in its first hook.
  hookTimeout: 600_000,
  expect: { poll: { timeout: PATIENCE_MS } },
  setupFiles: ['test/support/run/processor-time.ts', 'test/support/run/property-seed.ts'],
}

const sorted = sortTestFiles(import.meta.dirname, ['src', 'console', 'client', 'tools', 'bench', 'test'])
const inThisSuite = (paths: readonly string[]): string[] => paths.filter((path) => isLongSuite || !isLongFile(path))
const [shared, own, alone] = [inThisSuite(sorted.shared), inThisSuite(sorted.own), inThisSuite(sorted.alone)]
const filesOfSuite = shared.length + own.length + alone.length

/** Thousands of random cases: pure, but not for every save. */
const isConformance = (path: string): boolean => path.startsWith('test/conformance/')

/** In threads that run file after file: to start a process for each would take most of their time. */
const inThreads = { pool: 'threads', isolate: false, sequence: { groupOrder: 0 } } as const
const inProcesses = { pool: 'forks', sequence: { groupOrder: 0 } } as const

export default defineConfig({
  test: {
    // More than twice the two cores of a small machine: many tests wait, for a server, a disk, a slow network or a time to
    // pass. With 5 the cores are idle for a fiftieth of a run.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    reporters: [
      'default',
      ['./test/support/run/slowest-files.ts', { filesOfSuite }],
      ...(report === undefined ? [] : ([['json', { outputFile: report }]] as [['json', object]])),
    ],
    projects: [
      {
        test: {
          ...patience,
          ...inThreads,
          name: 'unit',
          include: shared.filter((path) => !isConformance(path)),
        },
      },
      { test: { ...patience, ...inThreads, name: 'laws', include: shared.filter(isConformance) } },
      {
        test: {
          ...patience,
          ...inProcesses,
          name: 'servers',
          isolate: false,
          globalSetup: ['test/support/global-setup.ts'],
          // The real clients too: they have work for the processor while other tests wait.
          include: own,
        },
      },
      { test: { ...patience, ...inProcesses, name: 'alone', include: alone } },
    ],
  },
})
