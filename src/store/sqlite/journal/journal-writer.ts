import { close, constants, fdatasync, open, write } from 'node:fs'
import { promisify } from 'node:util'
import { Turns } from '../turns.ts'
import { BATCH_BYTES_LIMIT, FILE_BYTES, frameOf, HEAD_BYTES, placeFor } from './journal-frames.ts'

/** How long settlements stand in the file at most, unless they are many or something is asked of the database. */
const FOLD_AFTER_MS = 1_000
/** Some 500 settlements. */
const FOLD_BYTES = 384 * 1024
/** Room in the file is used again once what stood in it is folded durably, which takes a sync of the database. */
const DURABLY_BYTES = FILE_BYTES / 2
/** The pause after a fold that failed. Meanwhile each settlement goes to the books at once, where it hears what is wrong. */
const RETRY_MS = 100
/** The pause after no file could be had. */
const TAKE_AGAIN_MS = 60_000

/** A journal file that the thread of the database has given to this one. */
export interface GivenFile {
  readonly number: number
  readonly path: string
  readonly epoch: number
}

export interface FoldAnswer {
  readonly overruns: number
  /** How far the file is in the books; null: it is no longer known. */
  readonly place: number | null
  /** The file has lost its name. */
  readonly isDeleted: boolean
}

/** The thread that holds the database file, as a writer of a journal needs it. */
export interface JournalKeeper {
  /** Null: there is none to be had. */
  takeJournal(): Promise<GivenFile | null>
  foldJournal(options: { readonly number: number; readonly durably: boolean }): Promise<FoldAnswer>
  releaseJournal(number: number): Promise<void>
}

interface OwnFile extends GivenFile {
  readonly descriptor: number
  /** Where the next frame goes, how far it is folded, and how far no loss of power takes that back. */
  place: number
  folded: number
  durable: number
  /** Whether it is to be left, by the next who writes: while a write is under way its descriptor must not be closed. */
  isLost: boolean
}

/**
 * Makes settlements durable by one synced write of the thread that has them, without a way to the thread of the database,
 * and has that thread bring them into the books soon after.
 */
export class JournalWriter {
  readonly #keeper: JournalKeeper
  readonly #turns = new Turns()
  #file: OwnFile | null = null
  #mayTake = true
  #folding: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined
  #overruns = 0
  #isTroubled = false
  #isClosed = false

  constructor(keeper: JournalKeeper) {
    this.#keeper = keeper
  }

  /** Resolves when the batch is durable. False: it is not, and has to go to the books by itself. */
  async add(batch: Uint8Array): Promise<boolean> {
    if (batch.length > BATCH_BYTES_LIMIT || this.#isTroubled || this.#isClosed) return false
    const endTurn = await this.#turns.take()
    try {
      if (this.#file?.isLost === true) await this.#leave(this.#file)
      const file = this.#file ?? (await this.#take())
      if (file === null || !(await this.#hasRoom(file, batch))) return false
      return await this.#write(file, batch)
    } finally {
      endTurn()
    }
  }

  /** Charges found to be overruns since the last call. */
  takeOverruns(): number {
    const overruns = this.#overruns
    this.#overruns = 0
    return overruns
  }

  /** Waits for what is being written. What is not folded by then is left to the thread of the database. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const endTurn = await this.#turns.take()
    await this.#folding
    clearTimeout(this.#timer)
    const file = this.#file
    this.#file = null
    if (file !== null) await closeFile(file.descriptor)
    endTurn()
  }

  async #take(): Promise<OwnFile | null> {
    if (!this.#mayTake) return null
    try {
      const given = await this.#keeper.takeJournal()
      if (given !== null) {
        const descriptor = await openFile(given.path, constants.O_RDWR | (constants.O_DSYNC ?? 0))
        return (this.#file = { ...given, descriptor, place: 0, folded: 0, durable: 0, isLost: false })
      }
    } catch {
      // The books are asked instead, and say what is wrong.
    }
    this.#mayTake = false
    setTimeout(() => (this.#mayTake = true), TAKE_AGAIN_MS).unref()
    return null
  }

  async #hasRoom(file: OwnFile, batch: Uint8Array): Promise<boolean> {
    const isFitting = () => endOf(file, batch) - file.durable <= FILE_BYTES
    for (let tries = 0; tries < 2 && !isFitting(); tries++) await this.#fold()
    return isFitting() && !file.isLost
  }

  async #write(file: OwnFile, batch: Uint8Array): Promise<boolean> {
    const place = placeFor(HEAD_BYTES + batch.length, file.place)
    const frame = frameOf(batch, { epoch: file.epoch, place })
    try {
      await writeDurably(file.descriptor, frame, place % FILE_BYTES)
    } catch {
      // Whether the frame is there is not known: nothing may be written behind it.
      await this.#leave(file)
      return false
    }
    file.place = place + frame.length
    if (file.place - file.folded >= FOLD_BYTES) void this.#fold()
    else this.#timer ??= setTimeout(this.#foldLater, FOLD_AFTER_MS)
    return true
  }

  readonly #foldLater = (): void => {
    this.#timer = undefined
    void this.#fold()
  }

  /** One fold is under way at a time. Never rejects. */
  #fold(): Promise<void> {
    this.#folding ??= this.#foldNow().finally(() => {
      this.#folding = null
    })
    return this.#folding
  }

  async #foldNow(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const file = this.#file
    if (file === null) return
    const durably = file.place - file.durable >= DURABLY_BYTES
    try {
      const { overruns, place, isDeleted } = await this.#keeper.foldJournal({ number: file.number, durably })
      this.#overruns += overruns
      this.#isTroubled = false
      if (place === null || isDeleted) file.isLost = true
      if (place === null) return
      file.folded = place
      if (durably) file.durable = place
      if (file.place > place && !this.#isClosed) this.#timer ??= setTimeout(this.#foldLater, FOLD_AFTER_MS)
    } catch {
      this.#isTroubled = true
      if (!this.#isClosed) this.#timer = setTimeout(this.#foldLater, RETRY_MS)
    }
  }

  /** Another file is taken for the next batch. */
  async #leave(file: OwnFile): Promise<void> {
    if (this.#file !== file) return
    this.#file = null
    await closeFile(file.descriptor).catch(() => {})
    await this.#keeper.releaseJournal(file.number).catch(() => {})
  }
}

function endOf(file: OwnFile, batch: Uint8Array): number {
  const length = HEAD_BYTES + batch.length
  return placeFor(length, file.place) + length
}

const openFile = promisify(open)
const closeFile = promisify(close)

/** Where the system knows no files whose writes are durable by themselves, a sync follows. */
function writeDurably(descriptor: number, frame: Uint8Array, offset: number): Promise<void> {
  return new Promise((resolve, reject) => {
    write(descriptor, frame, 0, frame.length, offset, (error, written) => {
      if (error !== null) reject(error)
      else if (written !== frame.length) reject(new Error('the journal file took a part of a batch'))
      else if (constants.O_DSYNC !== undefined) resolve()
      else fdatasync(descriptor, (syncError) => (syncError === null ? resolve() : reject(syncError)))
    })
  })
}
