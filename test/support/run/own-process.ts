/** Which test files want a process of their own, read from what they import. For `vitest.config.ts`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'

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

/** An import statement (a formatted one ends on a line of its own), an import() or a file that is named for a thread. */
const IMPORT = /^(?:import|export|\}) ?[^'\n]*'([^']+)'|\bimport\(\s*'([^']+)'|new URL\(\s*'(\.[^']+)'/gm

/** The test files by what they may share, as paths from the root. */
export interface SortedTestFiles {
  /** Those that may share a thread. */
  readonly shared: string[]
  /** Those that need the servers of the run or other processes. They share processes, and put back what they replace. */
  readonly own: string[]
  /** The others that replace timers or globals: each has a process to itself. */
  readonly alone: string[]
}

/** Reads every test file below these folders, and what it imports. */
export function sortTestFiles(root: string, folders: readonly string[]): SortedTestFiles {
  const texts = new Map<string, string>()
  for (const folder of folders)
    for (const path of sourcesIn(root, folder)) texts.set(path, readFileSync(join(root, path), 'utf8'))
  const imports = new Map(Array.from(texts, ([path, text]) => [path, importsOf(path, text)]))
  const isAlone = (path: string): boolean => REPLACES_GLOBALS.test(texts.get(path) ?? '')
  const needsOwn = (path: string): boolean => {
    const seen = new Set([path])
    // The set grows while it is walked.
    for (const each of seen) {
      if (SHARES_NOTHING.some((pattern) => pattern.test(each))) return true
      for (const next of imports.get(each) ?? []) seen.add(next)
    }
    return false
  }
  const tests = [...texts.keys()].filter((path) => path.endsWith('.test.ts')).sort()
  const pure = tests.filter((path) => !needsOwn(path))
  return {
    shared: pure.filter((path) => !isAlone(path)),
    own: tests.filter(needsOwn),
    alone: pure.filter(isAlone),
  }
}

function sourcesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.includes('node_modules/'))
}

function importsOf(path: string, text: string): readonly string[] {
  return Array.from(text.matchAll(IMPORT), ([, ...found]) => {
    const specifier = found.find((each) => each !== undefined) ?? ''
    return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier
  })
}
