/** What each source file imports, read from its text: which test files share a process, and which a change touches. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'

/** An import statement (a formatted one ends on a line of its own), an import() or a file that is named for a thread. */
const IMPORT = /^(?:import|export|\}) ?[^'\n]*'([^']+)'|\bimport\(\s*'([^']+)'|new URL\(\s*'(\.[^']+)'/gm

/** All paths are relative to the root, with `/`. */
export interface ImportGraph {
  readonly texts: ReadonlyMap<string, string>
  /** Path → what it imports: a path from the root, or the specifier of a package. */
  readonly imports: ReadonlyMap<string, readonly string[]>
  readonly tests: readonly string[]
  /** The file itself and everything that it imports, directly or not. */
  reach(path: string): Set<string>
}

/** Reads every source file below these folders. */
export function readImportGraph(root: string, folders: readonly string[]): ImportGraph {
  const texts = new Map<string, string>()
  for (const folder of folders)
    for (const path of sourcesIn(root, folder)) texts.set(path, readFileSync(join(root, path), 'utf8'))
  const imports = new Map(Array.from(texts, ([path, text]) => [path, importsOf(path, text)]))
  const reach = (path: string): Set<string> => {
    const seen = new Set([path])
    // The set grows while it is walked.
    for (const each of seen) for (const next of imports.get(each) ?? []) seen.add(next)
    return seen
  }
  const tests = [...texts.keys()].filter((path) => path.endsWith('.test.ts')).sort()
  return { texts, imports, tests, reach }
}

function sourcesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|js)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.includes('node_modules/'))
}

function importsOf(path: string, text: string): readonly string[] {
  return Array.from(text.matchAll(IMPORT), ([, ...found]) => {
    const specifier = found.find((each) => each !== undefined) ?? ''
    return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier
  })
}
