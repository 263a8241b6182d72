import { posix } from 'node:path'
import type { Finding } from './source-files.ts'
import type { FileImports } from './source-imports.ts'

/**
 * The inner folders of the rooms that have several, from the top to the bottom: a folder may import from those below it.
 * Folders on one line stand beside each other and import nothing of each other.
 */
export const INNER_FOLDERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  console: [
    ['pages'],
    ['shell'],
    ['costs', 'forms', 'table'],
    ['chart', 'differences', 'setup', 'ui'],
    ['dictionaries'],
    ['api'],
    ['format', 'renderer'],
  ],
  'src/app': [
    ['cli'],
    ['workers', 'history'],
    ['server', 'opening'],
    ['backups', 'declarative', 'open-telemetry', 'retention'],
    ['installation'],
  ],
  'src/control': [
    ['routes', 'oauth'],
    ['explain'],
    ['keys'],
    ['overview', 'payments', 'scheduled'],
    ['audit'],
    ['models'],
    ['accounts', 'docs', 'views'],
    ['api'],
    ['who'],
    ['public', 'settings', 'sign-in'],
  ],
  'src/gateway': [
    ['lookups', 'cache', 'trial'],
    ['arrival'],
    ['exchange'],
    ['choice', 'answer'],
    ['capture'],
    ['callers', 'memory'],
    ['request'],
  ],
  'src/import': [['apply', 'litellm', 'new-api', 'sources', 'sub2api', 'verify']],
  'src/metering': [['admission', 'funds'], ['settle', 'budgets', 'limits'], ['usage'], ['prices']],
  'src/protocols': [['forms', 'spokes'], ['hub'], ['stream'], ['reading'], ['json']],
  'src/store': [['postgres', 'redis', 'sqlite', 'tables'], ['books', 'migrations'], ['engine'], ['schema']],
  'src/upstreams': [['credentials', 'demo', 'dialects', 'http']],
}

/** Folders whose parts still import each other in a ring, and rooms without a row because of it. The list only shrinks. */
export const RINGS_LEFT: readonly string[] = []

/** What differs from the table, and every ring of the folders and files that stand in one folder, at any depth. */
export function checkInnerFolders(
  files: readonly FileImports[],
  table: typeof INNER_FOLDERS,
  ringsLeft: readonly string[],
): Finding[] {
  const folders = new Set(files.flatMap(({ path }) => foldersAbove(path)))
  return [...folders].sort().flatMap((folder) => {
    const arrows = arrowsWithin(folder, files)
    const ring = ringOf(arrows)
    if (ringsLeft.includes(folder))
      return ring === null ? [{ ...at(folder), what: 'has no ring any more: take it off the list' }] : []
    const around = ring === null ? [] : [{ ...at(folder), what: `has a ring: ${ring.join(' -> ')}` }]
    const rows = /^(?:src\/[^/]+|console)$/.test(folder) ? checkRow(folder, arrows, { files, row: table[folder] }) : []
    return [...around, ...rows]
  })
}

interface Arrow {
  readonly from: string
  readonly to: string
  readonly file: string
  readonly line: number
}

function at(folder: string): { file: string; line: number } {
  return { file: folder, line: 1 }
}

function foldersAbove(path: string): string[] {
  const parts = posix.dirname(path).split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/')).filter((folder) => folder !== 'src')
}

/** Imports between the parts of a folder: its files, and its inner folders as a whole. */
function arrowsWithin(folder: string, files: readonly FileImports[]): Arrow[] {
  const partOf = (path: string) => path.slice(folder.length + 1).split('/')[0] ?? ''
  const isWithin = (path: string) => path.startsWith(`${folder}/`)
  return files
    .filter(({ path }) => isWithin(path))
    .flatMap(({ path, imports }) =>
      imports.flatMap(({ target, line }) => {
        if (target === undefined || !isWithin(target) || partOf(target) === partOf(path)) return []
        return [{ from: partOf(path), to: partOf(target), file: path, line }]
      }),
    )
}

/** One way round, or null. */
function ringOf(arrows: readonly Arrow[]): string[] | null {
  const next = Map.groupBy(arrows, ({ from }) => from)
  const done = new Set<string>()
  const visit = (part: string, trail: readonly string[]): string[] | null => {
    const start = trail.indexOf(part)
    if (start !== -1) return [...trail.slice(start), part]
    if (done.has(part)) return null
    for (const { to } of next.get(part) ?? []) {
      const ring = visit(to, [...trail, part])
      if (ring !== null) return ring
    }
    done.add(part)
    return null
  }
  for (const part of next.keys()) {
    const ring = visit(part, [])
    if (ring !== null) return ring
  }
  return null
}

function checkRow(
  folder: string,
  arrows: readonly Arrow[],
  { files, row }: { readonly files: readonly FileImports[]; readonly row: readonly (readonly string[])[] | undefined },
): Finding[] {
  const depth = folder.split('/').length
  const inner = new Set(files.flatMap(({ path }) => (path.startsWith(`${folder}/`) ? innerFolder(path, depth) : [])))
  if (inner.size < 2 && row === undefined) return []
  const listed = (row ?? []).flat()
  const missing = [...inner].filter((name) => !listed.includes(name))
  const gone = listed.filter((name) => !inner.has(name))
  const levelOf = (name: string) => (row ?? []).findIndex((names) => names.includes(name))
  const upward = arrows.filter(
    ({ from, to }) => listed.includes(from) && listed.includes(to) && levelOf(to) <= levelOf(from),
  )
  return [
    ...missing.map((name) => ({ ...at(folder), what: `its folder ${name} stands in no row of the table` })),
    ...gone.map((name) => ({ ...at(folder), what: `the table names ${name}, which is not a folder of it` })),
    ...upward.map(({ file, line, from, to }) => ({ file, line, what: `${from} may not import from ${to}` })),
  ]
}

function innerFolder(path: string, depth: number): string[] {
  const parts = path.split('/')
  const name = parts[depth]
  return parts.length > depth + 1 && name !== undefined ? [name] : []
}
