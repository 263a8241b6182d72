import { open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { KEPT } from '../kept-copies.ts'
import { makeDirectory } from '../make-directory.ts'
import { DIRECTORY_MODE, FILE_MODE } from './database-file.ts'
import type { FileIdentities } from '../engine/engine.ts'
import { identifyFiles, lostFiles } from './file-watch.ts'

const LOOK_MS = 1_000
/** A copy of so much takes a second or two, less than settlements are waited for. A larger one is made when the gateway stops. */
const COPIED_AT_ONCE_BYTES = 256 * 1024 * 1024

export interface FileGuardOptions {
  readonly file: string
  readonly opened: FileIdentities
  /** Reads what the open files hold, wherever they are now; null: another thread of the process keeps it. */
  readonly content: { bytes(): Promise<number>; copyTo(emptyFile: string): Promise<void> } | null
  /** What no caller waits for, for the log. */
  onTrouble(error: Error): void
}

/**
 * Looks whether the files of the database are still where they were opened. What is written to others is durable, and gone with
 * the process: so nothing more is taken on meanwhile, and all that is in them is copied beside them. It is over when they are back.
 */
export class FileGuard {
  readonly #options: FileGuardOptions
  #isLost = false
  #isSuspected = false
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | null = null
  #copy: string | null = null

  constructor(options: FileGuardOptions) {
    this.#options = options
  }

  static async of(options: Omit<FileGuardOptions, 'opened'>): Promise<FileGuard> {
    return new FileGuard({ ...options, opened: await identifyFiles(options.file) })
  }

  get isLost(): boolean {
    return this.#isLost
  }

  /** The files as they were opened, for another thread of this process. */
  get opened(): FileIdentities {
    return this.#options.opened
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.look(), LOOK_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Resolves when it is known; one look is under way at a time. */
  look(): Promise<void> {
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  /** Stops to look, before the files are closed and when nothing more is written; what is lost is kept in a copy. */
  async finish(): Promise<void> {
    this.stop()
    await this.#looking
    if (this.#isLost) await this.#keep()
  }

  async #lookNow(): Promise<void> {
    const { file, opened, content, onTrouble } = this.#options
    const lost = await lostFiles(file, opened)
    // Who moves a file may put it back at once.
    const isLost = lost.length > 0 && this.#isSuspected
    this.#isSuspected = lost.length > 0
    if (isLost === this.#isLost) return
    this.#isLost = isLost
    if (!isLost) return onTrouble(new Error(`the files of the database are back: ${file}`))
    onTrouble(
      new Error(`moved, replaced or deleted while the database is open: ${lost.join(', ')}; every call is refused`),
    )
    if (await isSmall(content)) await this.#keep()
  }

  /** Puts a new copy in the place of the one before. */
  async #keep(): Promise<void> {
    const { file, content, onTrouble } = this.#options
    if (content === null) return
    const before = this.#copy
    try {
      await makeDirectory(dirname(file), DIRECTORY_MODE)
      const path = await emptyFileBeside(file)
      await content.copyTo(path)
      this.#copy = path
      if (before !== null) await rm(before, { force: true })
      onTrouble(
        new Error(`all that the database holds was copied to ${path}: stop the gateway, and rename it to go on`),
      )
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error)
      onTrouble(new Error(`the database could not be copied, and is lost when this process ends: ${cause}`))
    }
  }
}

async function isSmall(content: FileGuardOptions['content']): Promise<boolean> {
  return content !== null && (await content.bytes().catch(() => Infinity)) <= COPIED_AT_ONCE_BYTES
}

/** Makes an empty file with a name that nothing has. */
async function emptyFileBeside(file: string): Promise<string> {
  for (let number = 1; number <= COPIES_LIMIT; number++) {
    const path = `${file}${KEPT}${number}`
    const made = await open(path, 'wx', FILE_MODE).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      return null
    })
    await made?.close()
    if (made !== null) return path
  }
  throw new Error(`${COPIES_LIMIT} copies are there already`)
}

const COPIES_LIMIT = 100
