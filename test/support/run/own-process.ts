/** Finds the test files that want a process of their own, by what they import. For `vitest.config.ts`. */
import { readImportGraph } from './import-graph.ts'

/**
 * What a test cannot share with others in one thread: the servers of the run, other processes, and timers or globals that
 * are replaced while it runs.
 */
const SHARES_NOTHING: readonly RegExp[] = [
  /^test\/support\/test-servers\.ts$/,
  /^node:child_process$/,
  /^playwright-core$/,
]
const REPLACES_GLOBALS =
  /\bvi\.(useFakeTimers|stubGlobal|stubEnv|mock|doMock)\(|^\s*process\.((chdir|once|on)\(|env\[[^\]]+\] = )/m

/** The test files by what they may share, as paths from the root. */
export interface SortedTestFiles {
  /** Files that may share a thread. */
  readonly shared: string[]
  /** Files that need the servers of the run or other processes. They share processes, and put back what they replace. */
  readonly own: string[]
  /** The others that replace timers or globals: each has a process to itself. */
  readonly alone: string[]
}

/** Reads every test file below these folders, and what it imports. */
export function sortTestFiles(root: string, folders: readonly string[]): SortedTestFiles {
  const { texts, tests, reach } = readImportGraph(root, folders)
  const isAlone = (path: string): boolean => REPLACES_GLOBALS.test(texts.get(path) ?? '')
  const ownOnes = new Set(
    tests.filter((path) => [...reach(path)].some((each) => SHARES_NOTHING.some((pattern) => pattern.test(each)))),
  )
  const pure = tests.filter((path) => !ownOnes.has(path))
  return {
    shared: pure.filter((path) => !isAlone(path)),
    own: [...ownOnes],
    alone: pure.filter(isAlone),
  }
}
