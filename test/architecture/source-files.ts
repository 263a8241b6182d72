import { readFile, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A file of the project: its path from the root, with `/` on every system, and its text. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** One finding of a rule about the code, printed as `file:line what`. */
export interface Finding {
  readonly file: string
  readonly line: number
  readonly what: string
}

/** Every file below `folder` whose name matches. A folder that does not exist has no files. */
export async function readSources(folder: string, name: RegExp): Promise<SourceFile[]> {
  const paths = (await listFiles(folder)).filter((path) => name.test(path)).sort()
  return Promise.all(paths.map(async (path) => ({ path, text: await readProjectFile(path) })))
}

/** The paths of all files below `folder`, from the project's root. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true }).catch(missingIsEmpty)
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.split('/').includes('node_modules'))
}

/** The text of one file. Rejects when there is none: a test about it cannot pass without it. */
export async function readProjectFile(path: string): Promise<string> {
  return readFile(join(ROOT, path), 'utf8')
}

/** One line per finding, so that a failing expectation prints as a list to work through. */
export function printed(findings: readonly Finding[]): string[] {
  return findings.map(({ file, line, what }) => `${file}:${line} ${what}`)
}

function missingIsEmpty(cause: unknown): [] {
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return []
  throw cause
}
