import type { Finding } from './source-files.ts'
import type { FileImports } from './source-imports.ts'

interface Edge {
  readonly to: string
  readonly line: number
}

/**
 * One finding for each import that closes a cycle of files. Imports of types count: two files that need each other's
 * types are one thought in two places.
 */
export function findCycles(files: readonly FileImports[]): Finding[] {
  const graph = new Map(files.map((file) => [file.path, edgesOf(file)]))
  const done = new Set<string>()
  const findings: Finding[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const here = [...trail, path]
    for (const { to, line } of graph.get(path) ?? []) {
      const start = here.indexOf(to)
      if (start !== -1) {
        findings.push({ file: path, line, what: `closes a cycle: ${[...here.slice(start), to].join(' -> ')}` })
      } else if (!done.has(to)) {
        visit(to, here)
      }
    }
    done.add(path)
  }
  for (const { path } of files) if (!done.has(path)) visit(path, [])
  return findings
}

function edgesOf({ imports }: FileImports): Edge[] {
  return imports.flatMap(({ target, line }) => (target === undefined ? [] : [{ to: target, line }]))
}
