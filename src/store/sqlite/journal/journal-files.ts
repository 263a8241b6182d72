import { closeSync, constants, existsSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FILE_MODE } from '../database-file.ts'
import { resultCode } from '../sqlite-failure.ts'
import { FILE_BYTES, type FilePlace, type FoundBatch, readFrame } from './journal-frames.ts'

/** How many threads, of all processes on one database, may have a journal. Others write to the books at once. */
const FILES_LIMIT = 64

/** The path of a journal file of the database. */
export function journalPath(databaseFile: string, number: number): string {
  return `${databaseFile}-settled-${number}`
}

/** One journal file, as far as it is in the books. */
export interface FoldedFile extends FilePlace {
  readonly number: number
}

/** A journal file that a thread of this process writes. */
export interface OwnedFile {
  readonly number: number
  readonly path: string
  /** Locked for as long as this process lives, whatever ends it. */
  readonly lock: DatabaseSync
}

interface OpenFile {
  readonly epoch: number
  readonly descriptor: number
}

/** The journal files beside a database: read by all who fold, and each written by one thread. */
export class JournalFiles {
  readonly #databaseFile: string
  readonly #open = new Map<number, OpenFile>()

  constructor(databaseFile: string) {
    this.#databaseFile = databaseFile
  }

  /**
   * What stands in a file behind what is folded, the oldest first; none: all is folded. Default: all of it. `isEnough`: asked
   * with each batch whether it is the last to be read. Throws what the file system says.
   */
  unfolded(file: FoldedFile, isEnough: (batch: Uint8Array) => boolean = () => false): readonly FoundBatch[] {
    const descriptor = this.#descriptorOf(file)
    if (descriptor === null) return []
    const read = (offset: number, bytes: number): Uint8Array => {
      const buffer = Buffer.allocUnsafe(bytes)
      return buffer.subarray(0, readSync(descriptor, buffer, 0, bytes, offset))
    }
    const found: FoundBatch[] = []
    let next = readFrame(read, file)
    while (next !== null) {
      found.push(next)
      next = isEnough(next.batch) ? null : readFrame(read, { epoch: file.epoch, place: next.end })
    }
    return found
  }

  /** The paths of those that are not there. */
  missing(files: readonly FoldedFile[]): readonly string[] {
    return files.map(({ number }) => journalPath(this.#databaseFile, number)).filter((path) => !existsSync(path))
  }

  /** Whether a file that is open here has lost its name: what is written to it ends with the processes that have it open. */
  isDeleted(number: number): boolean {
    const open = this.#open.get(number)
    return open !== undefined && fstatSync(open.descriptor).nlink === 0
  }

  /**
   * Takes a file that no living thread has, and makes it where it is missing. What stands in it is left as it is. Null: all
   * are taken. Throws what the file system or SQLite says.
   */
  take(): OwnedFile | null {
    for (let number = 1; number <= FILES_LIMIT; number++) {
      const path = journalPath(this.#databaseFile, number)
      const lock = lockOf(`${path}.lock`)
      if (lock === null) continue
      try {
        makeWhole(path)
        return { number, path, lock }
      } catch (error) {
        lock.close()
        throw error
      }
    }
    return null
  }

  close(): void {
    for (const { descriptor } of this.#open.values()) closeSync(descriptor)
    this.#open.clear()
  }

  /** Null: there is no such file. */
  #descriptorOf({ number, epoch }: FoldedFile): number | null {
    const open = this.#open.get(number)
    if (open?.epoch === epoch) return open.descriptor
    // Another owner: the file may have been made anew.
    if (open !== undefined) closeSync(open.descriptor)
    this.#open.delete(number)
    const descriptor = descriptorOf(journalPath(this.#databaseFile, number))
    if (descriptor !== null) this.#open.set(number, { epoch, descriptor })
    return descriptor
  }
}

/** How far each file is folded, as the database says. Neither number is money: both are whole, and below 2^53. */
export function foldedFiles(database: Pick<DatabaseSync, 'prepare'>): readonly FoldedFile[] {
  return database.prepare(FOLDED_FILES).all().map(foldedFileOf)
}

export const FOLDED_FILES = 'select number, epoch, place from settle_files order by number'

export function foldedFileOf(row: Readonly<Record<string, unknown>>): FoldedFile {
  return { number: Number(row['number']), epoch: Number(row['epoch']), place: Number(row['place']) }
}

function descriptorOf(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

const BUSY = 5
const PAGE = Buffer.alloc(4_096)

/**
 * Null: another has it. SQLite knows how to lock a file so that the end of a process frees it, on every system. Where a process
 * closes any descriptor of a file, POSIX frees its locks there: so a file that is there is opened by nothing but SQLite.
 */
function lockOf(path: string): DatabaseSync | null {
  makePrivate(path)
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if (((resultCode(error) ?? 0) & 0xff) === BUSY) return null
    throw error
  }
}

/** Makes an empty file for this user alone; one that is there is not touched. */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', FILE_MODE))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** All blocks of the file are there, and durable, so that no later write has to find one. */
function makeWhole(path: string): void {
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, FILE_MODE)
  try {
    const { size } = fstatSync(descriptor)
    if (size >= FILE_BYTES) return
    // In pages: of a large piece the system keeps large parts together, and counts a whole part as written with each frame.
    for (
      let at = size;
      at < FILE_BYTES;
      at += writeSync(descriptor, PAGE, 0, Math.min(PAGE.length, FILE_BYTES - at), at)
    );
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  syncDirectory(dirname(path))
}

/** Does what `sync-directory.ts` does, for a thread in which nothing may come between. */
function syncDirectory(path: string): void {
  if (process.platform === 'win32') return
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
