/** Files that are replaced as a whole, so that an end in the middle leaves the one before. */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from '../host.ts'

/** Files that only their owner can read. */
export const PRIVATE_MODE = 0o600

/** The text of a file; null where there is none. */
export function readText(path: string): string | null {
  const bytes = readBytes(path)
  return bytes === null ? null : bytes.toString('utf8')
}

/** The bytes of a file; null where there is none. */
export function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw cannot('read', path, error)
  }
}

/** The JSON object in a file of ours; null where there is none, or where it cannot be read any more. */
export function readRecord(path: string): Readonly<Record<string, unknown>> | null {
  const text = readText(path)
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/** Writes a new file beside the old one and puts it in its place. The folder is made where it is missing. */
export function replaceFile(
  path: string,
  content: string | Buffer,
  { mode, name }: { mode: number; name: string },
): void {
  const beside = `${path}.${name}.tmp`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const file = openSync(beside, 'wx', mode)
    try {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    // The mode that a file is made with is narrowed by the umask.
    chmodSync(beside, mode)
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { recursive: true, force: true })
    throw cannot('write', path, error)
  }
}

/** Deletes a file or folder that may be gone already. */
export function removeFile(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch (error) {
    throw cannot('delete', path, error)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you have no permission',
  EPERM: 'the system does not allow it',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your space on the disk is used up',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file',
  ELOOP: 'it is a link that leads to itself',
  EBUSY: 'another program has it open',
}

function cannot(verb: string, path: string, error: unknown): Failure {
  const code = codeOf(error)
  return new Failure(`${path} cannot be ${PARTICIPLES[verb]}: ${REASONS[code] ?? code}.`, { cause: error })
}

const PARTICIPLES: Readonly<Record<string, string>> = { read: 'read', write: 'written', delete: 'deleted' }

/** The code of an error of the system. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
