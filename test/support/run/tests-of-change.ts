/** Finds the test files that a change touches: by what they import and start, and by the files that their texts name. */
import { posix } from 'node:path'
import { type ImportGraph, readImportGraph } from './import-graph.ts'

/** What is started or served by a file and so is not among its imports. */
const STARTS: Readonly<Record<string, readonly string[]>> = {
  'test/support/gateway-process.ts': ['bin/tollgate.js', 'src/main.ts'],
  'test/support/built-console.ts': ['console/main.tsx', 'tools/build-console.ts'],
}
/** Tests that read the tree as it is, in seconds. */
const ALWAYS = 'test/architecture/'
/** A change of these may change everything. */
const EVERYTHING = /^(package(-lock)?\.json|vitest\.config\.ts|tsconfig[^/]*\.json|test\/support\/run\/.*)$/

export interface TestsOfChange {
  /** Sorted; with those of the architecture where there are any. */
  readonly tests: readonly string[]
  /** Changed files that no test imports, starts or names. */
  readonly untested: readonly string[]
}

/** The tests that changed files touch, as paths from the root. */
export function testsOfChange(root: string, changed: readonly string[], folders: readonly string[]): TestsOfChange {
  const graph = readImportGraph(root, folders)
  if (changed.length === 0) return { tests: [], untested: [] }
  if (changed.some((path) => EVERYTHING.test(path))) return { tests: graph.tests, untested: [] }
  const touching = new Map(changed.map((path) => [path, touchedBy(path, graph)]))
  const reached = new Set<string>()
  const tests = graph.tests.filter((test) => {
    const all = reachWithStarts(test, graph)
    const found = changed.filter((path) => touching.get(path)?.some((each) => all.has(each)))
    for (const path of found) reached.add(path)
    return found.length > 0 || test.startsWith(ALWAYS)
  })
  return { tests, untested: changed.filter((path) => !reached.has(path)) }
}

/** The source files by which a change comes to a test: the file itself, or those whose texts name it or its folder. */
function touchedBy(path: string, { texts }: ImportGraph): readonly string[] {
  if (texts.has(path)) return [path]
  const names = [posix.basename(path), posix.basename(posix.dirname(path))].filter((name) => name.length > 3)
  return Array.from(texts)
    .filter(([, text]) => names.some((name) => text.includes(name)))
    .map(([file]) => file)
    .filter((file) => file.startsWith('test/') || file.endsWith('.test.ts'))
}

function reachWithStarts(test: string, graph: ImportGraph): ReadonlySet<string> {
  const all = graph.reach(test)
  for (const [starter, started] of Object.entries(STARTS)) {
    if (!all.has(starter)) continue
    for (const path of started) for (const each of graph.reach(path)) all.add(each)
  }
  return all
}
