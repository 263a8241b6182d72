/** What becomes of one file: what this program wrote before is taken back, and what is planned now is written. */
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { Failure, type Host } from '../host.ts'
import { FileBroken, type Key, type Value } from '../files/editor.ts'
import { type Format, FORMATS } from '../files/formats.ts'
import { codeOf, readBytes } from '../kept/whole-file.ts'
import { type ChangedFile, hashOf } from './change-record.ts'

export interface PlannedFile {
  readonly path: string
  readonly format: Format
  readonly edits: readonly PlannedEdit[]
}

export interface PlannedEdit {
  readonly key: Key
  /** Null takes the entry out. */
  readonly value: Value | null
  /** What is there already stays. */
  readonly onlyIfMissing?: boolean
}

export interface PreparedFile {
  readonly planned: PlannedFile | null
  /** Where the file is, behind any link. */
  readonly path: string
  /** The link that leads there; null where there is none. */
  readonly link: string | null
  readonly current: string | null
  /** The file without what this program wrote before; null: none. */
  readonly base: string | null
  /** Null where the file is deleted. */
  readonly after: string | null
  /** Who may read the file, as it was before this program came. */
  readonly mode: number
  /** What others have changed since, which stays. */
  readonly kept: readonly string[]
  readonly madeFolders: readonly string[]
}

const USUAL_MODE = 0o600
/** A new file could take the place of one that is read-only, which is not what its owner wants. */
const OWNER_WRITES = 0o200
const MOST_BYTES = 5_000_000
const BOM = '\ufeff'

/** Reads the file and works out what becomes of it. Throws where it cannot be changed safely; nothing is written. */
export async function prepareFile(
  host: Host,
  path: string,
  { planned, former }: { readonly planned: PlannedFile | null; readonly former: ChangedFile | null },
): Promise<PreparedFile> {
  const place = former === null ? placeOf(path) : { path: former.path, link: null }
  const current = readFile(place.path)
  try {
    if (current !== null && (modeOf(place.path) & OWNER_WRITES) === 0) {
      throw new Failure(
        `${path} is read-only: nothing is changed. Where you want it to change, make it writable first.`,
      )
    }
    const back = await takenBack(current, former)
    if (planned?.format === 'whole' && back.base !== null)
      throw new Failure(`${path} is there already and is not of this program: nothing is changed.`)
    return {
      planned,
      ...place,
      current,
      base: back.base,
      after: planned === null ? back.base : edited(back.base ?? '', planned),
      mode: former?.mode ?? modeOf(place.path),
      kept: back.kept,
      madeFolders: former?.madeFolders ?? missingFolders(host, place.path),
    }
  } catch (error) {
    throw error instanceof FileBroken ? new Failure(`${path} ${error.message}: nothing is changed.`) : error
  }
}

/** Where the file is, behind any link. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function placeOf(path: string): { readonly path: string; readonly link: string | null } {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return { path, link: null }
  try {
    const real = realpathSync(path)
    if (!statSync(real).isFile()) throw new Failure(`${path} is not a file: nothing is changed.`)
    return { path: real, link: found.isSymbolicLink() ? path : null }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`${path} is a link that leads to no file (${codeOf(error)}): nothing is changed.`)
  }
}

function readFile(path: string): string | null {
  const bytes = readBytes(path)
  if (bytes === null) return null
  const text = bytes.toString('utf8')
  if (bytes.length > MOST_BYTES) throw new Failure(`${path} is larger than a file of settings: nothing is changed.`)
  if (!Buffer.from(text).equals(bytes)) throw new Failure(`${path} is not text in UTF-8: nothing is changed.`)
  return text
}

/** The text without what this program wrote, and the names of what others changed since. */
async function takenBack(
  current: string | null,
  former: ChangedFile | null,
): Promise<{ readonly base: string | null; readonly kept: readonly string[] }> {
  if (former === null || current === null) return { base: current, kept: [] }
  const was = former.backup === null ? null : readFile(former.backup)
  if ((await hashOf(current)) === former.afterHash) return { base: was, kept: [] }
  if (former.backup !== null && was === null) {
    throw new Failure(`${former.backup} is gone, by which ${former.path} would be taken back: nothing is changed.`)
  }
  const editor = FORMATS[former.format as Format]
  const kept: string[] = []
  const before = withoutBom(was ?? '')
  let text = withoutBom(current)
  for (const { key, hash } of former.edits.toReversed()) {
    const now = editor.read(text, key)
    if ((now === null ? null : await hashOf(now)) !== hash) {
      kept.push(key.join('.') || 'the whole file')
      continue
    }
    const then = editor.read(before, key)
    text =
      then === null
        ? editor.remove(text, key, (group) => editor.read(before, group) !== null)
        : editor.restore(text, key, then)
  }
  const isOurs = was === null && kept.length === 0 && editor.isEmpty(text)
  return { base: isOurs ? null : withBomOf(current, text), kept }
}

function edited(text: string, { format, edits }: PlannedFile): string {
  const editor = FORMATS[format]
  const changed = edits.reduce((all, { key, value, onlyIfMissing }) => {
    const isThere = (): boolean => editor.read(all, key) !== null
    if (onlyIfMissing === true && isThere()) return all
    if (value !== null) return editor.write(all, key, value)
    return isThere() ? editor.remove(all, key, () => true) : all
  }, withoutBom(text))
  return withBomOf(text, changed)
}

function withoutBom(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text
}

function withBomOf(like: string, text: string): string {
  return like.startsWith(BOM) ? BOM + text : text
}

function modeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? USUAL_MODE : found.mode & 0o777
}

function missingFolders({ paths }: Host, path: string): readonly string[] {
  const missing: string[] = []
  for (let folder = paths.dirname(path); !existsSync(folder); folder = paths.dirname(folder)) missing.unshift(folder)
  return missing
}

/** What is kept of an edit: not its value, but the hash by which it is recognised. */
export async function recordedEdits(after: string, { format, edits }: PlannedFile): Promise<ChangedFile['edits']> {
  const editor = FORMATS[format]
  return Promise.all(
    edits.map(async ({ key }) => {
      const text = editor.read(withoutBom(after), key)
      return { key, hash: text === null ? null : await hashOf(text) }
    }),
  )
}
