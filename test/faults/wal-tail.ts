import { copyFile, open, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { endianness } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { foldedFiles, JournalFiles, journalPath } from '../../src/store/sqlite/journal/journal-files.ts'
import { FILE_BYTES, frameOf } from '../../src/store/sqlite/journal/journal-frames.ts'
import { temporaryDirectory } from '../support/test-servers.ts'
import type { Chance } from './chance.ts'

/** The write-ahead file of the embedded database, as SQLite's documentation describes its format. */

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const BIG_ENDIAN_SUMS = 0x377f0683
const LITTLE_ENDIAN_SUMS = 0x377f0682
const ATTEMPTED_AT = 128

export interface WalTail {
  /** Where the last transaction that was committed begins, and where it ends. Offsets in bytes. */
  readonly lastCommit: { readonly from: number; readonly to: number }
  readonly bytes: Buffer
  readonly pageBytes: number
  /** A checkpoint has begun to copy the last commit into the database, and so had it synced: no power cut can take it back. */
  readonly isCopied: boolean
}

/** Throws where there is no committed transaction in it: then there is nothing to damage, and nothing would be tested. */
export async function readWalTail(dataDirectory: string): Promise<WalTail> {
  const bytes = await readFile(walPath(dataDirectory))
  const pageBytes = bytes.length < HEADER_BYTES ? 0 : bytes.readUInt32BE(8)
  const sums = new Sums(bytes)
  let lastCommit: WalTail['lastCommit'] | null = null
  let begin = HEADER_BYTES
  const frameBytes = FRAME_HEADER_BYTES + pageBytes
  for (let at = HEADER_BYTES; at + frameBytes <= bytes.length && sums.takeFrame(at, pageBytes); at += frameBytes) {
    if (bytes.readUInt32BE(at + 4) === 0) continue
    lastCommit = { from: begin, to: at + frameBytes }
    begin = at + frameBytes
  }
  if (lastCommit === null) throw new Error('the write-ahead file has no commit to be damaged behind')
  const firstFrame = (lastCommit.from - HEADER_BYTES) / frameBytes + 1
  return { lastCommit, bytes, pageBytes, isCopied: firstFrame <= (await framesCopied(dataDirectory)) }
}

/** Up to which frame a checkpoint was about to copy: `nBackfillAttempted` of the index (SQLite, "WAL-mode File Format", 2.1). */
async function framesCopied(dataDirectory: string): Promise<number> {
  const index = await readFile(join(dataDirectory, 'tollgate.db-shm')).catch(() => Buffer.alloc(0))
  if (index.length < ATTEMPTED_AT + 4) return 0
  return endianness() === 'LE' ? index.readUInt32LE(ATTEMPTED_AT) : index.readUInt32BE(ATTEMPTED_AT)
}

/** The running checksum over all frames: a frame whose own differs is not part of the file, nor is any behind it. */
class Sums {
  readonly #bytes: Buffer
  readonly #isBigEndian: boolean
  #one = 0
  #two = 0

  constructor(bytes: Buffer) {
    const magic = bytes.length < HEADER_BYTES ? 0 : bytes.readUInt32BE(0)
    if (magic !== BIG_ENDIAN_SUMS && magic !== LITTLE_ENDIAN_SUMS) throw new Error('this is not a write-ahead file')
    this.#bytes = bytes
    this.#isBigEndian = magic === BIG_ENDIAN_SUMS
    this.#add(0, 24)
  }

  /** False: no frame of this file stands there. */
  takeFrame(at: number, pageBytes: number): boolean {
    const hasSalts = this.#bytes.compare(this.#bytes, at + 8, at + 16, 16, 24) === 0
    this.#add(at, 8)
    this.#add(at + FRAME_HEADER_BYTES, pageBytes)
    return (
      hasSalts && this.#bytes.readUInt32BE(at + 16) === this.#one && this.#bytes.readUInt32BE(at + 20) === this.#two
    )
  }

  #add(from: number, count: number): void {
    const word = (at: number) => (this.#isBigEndian ? this.#bytes.readUInt32BE(at) : this.#bytes.readUInt32LE(at))
    for (let at = from; at < from + count; at += 8) {
      this.#one = (this.#one + word(at) + this.#two) >>> 0
      this.#two = (this.#two + word(at + 4) + this.#one) >>> 0
    }
  }
}

/** Leaves behind the last commit what a power cut in the middle of the next one would: a frame that is not whole. */
export async function tearNextFrame(
  dataDirectory: string,
  { lastCommit, bytes }: WalTail,
  chance: Chance,
): Promise<void> {
  const page = Buffer.alloc(chance.between(1, 3_000), chance.between(0, 255))
  const header = Buffer.alloc(FRAME_HEADER_BYTES)
  header.writeUInt32BE(chance.between(1, 30), 0)
  // It says of itself that it ends a transaction.
  header.writeUInt32BE(chance.between(1, 90), 4)
  bytes.copy(header, 8, 16, 24)
  header.writeUInt32BE(chance.between(0, 1_000_000), 16)
  await expectUntouched(dataDirectory, bytes)
  await truncate(walPath(dataDirectory), lastCommit.to)
  await writeFile(walPath(dataDirectory), Buffer.concat([header, page]), { flag: 'a' })
}

/** Leaves behind the last whole frame of each journal file what a loss of power in the middle of the next one would. */
export async function tearNextBatch(dataDirectory: string, chance: Chance): Promise<void> {
  const file = join(dataDirectory, 'tollgate.db')
  const database = new DatabaseSync(file, { readOnly: true })
  const files = new JournalFiles(file)
  for (const folded of foldedFiles(database)) {
    const place = files.unfolded(folded).at(-1)?.end ?? folded.place
    const frame = frameOf(Buffer.alloc(chance.between(1, 3_000), 7), { epoch: folded.epoch, place })
    const journal = await open(journalPath(file, folded.number), 'r+')
    await journal.write(frame, 0, chance.between(1, frame.length - 1), place % FILE_BYTES)
    await journal.close()
  }
  files.close()
  database.close()
}

/** Flips one bit of the last commit, so that it never was. */
export async function spoilLastCommit(
  dataDirectory: string,
  { lastCommit, bytes }: WalTail,
  chance: Chance,
): Promise<void> {
  const spoiled = Buffer.from(bytes)
  const at = chance.between(lastCommit.from + 8, lastCommit.to - 1)
  spoiled[at] = (spoiled[at] ?? 0) ^ (1 << chance.between(0, 7))
  await expectUntouched(dataDirectory, bytes)
  await writeFile(walPath(dataDirectory), spoiled)
}

/** Another that opened the database since may have brought the file into it: the old one beside it would damage both. */
async function expectUntouched(dataDirectory: string, bytes: Buffer): Promise<void> {
  if (!bytes.equals(await readFile(walPath(dataDirectory)))) {
    throw new Error('the write-ahead file is another than the one that was read')
  }
}

/** The database with its write-ahead file and its journal files, as they would be read after a kill. */
export async function copyDatabase(dataDirectory: string): Promise<string> {
  const copy = await temporaryDirectory()
  const names = ['tollgate.db', 'tollgate.db-wal', ...(await journalNames(dataDirectory))]
  for (const name of names) await copyFile(join(dataDirectory, name), join(copy, name))
  return copy
}

/** The names of the journal files beside the database. */
export async function journalNames(dataDirectory: string): Promise<readonly string[]> {
  return (await readdir(dataDirectory)).filter((name) => /^tollgate\.db-settled-\d+$/.test(name))
}

function walPath(dataDirectory: string): string {
  return join(dataDirectory, 'tollgate.db-wal')
}
