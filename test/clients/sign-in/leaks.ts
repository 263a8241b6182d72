import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Computer } from './computer.ts'

/** Where credentials are to be seen on a computer. */
export interface Sightings {
  /** Paths below the home directory, sorted; with their bits where others than their person can read them. */
  readonly files: readonly string[]
  /** Command lines of its processes. */
  readonly commands: readonly string[]
  readonly isInTerminal: boolean
}

const OTHERS = 0o077

/** Looks for credentials in every file below the home directory, in command lines and in all that terminals showed. */
export async function sightings(computer: Computer, secrets: Iterable<string>): Promise<Sightings> {
  const known = [...secrets]
  const files: string[] = []
  for (const path of await filesBelow(computer.home)) {
    // What is gone by now is seen by none.
    const bytes = await readFile(path).catch(() => Buffer.alloc(0))
    if (!known.some((secret) => bytes.includes(secret))) continue
    const { mode } = await stat(path)
    files.push(relative(computer.home, path) + ((mode & OTHERS) === 0 ? '' : ` (${(mode & 0o777).toString(8)})`))
  }
  const isInTerminal = known.some((secret) => computer.shown().includes(secret))
  return { files: files.toSorted(), commands: [...computer.tattlingCommands], isInTerminal }
}

/** Links are not followed. A folder that is removed meanwhile has none. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name))
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
  return [...files, ...(await Promise.all(folders.map(filesBelow))).flat()]
}
