/** The files of the archive: lines of JSON, compressed, each with a manifest beside it that says what is in it. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { formatUsd, type NanoUsd, nanoUsd } from '../../core/money.ts'
import type { Archive, ArchiveKind, ArchiveLines, ArchivedRecords } from '../../metering/usage/retention.ts'
import { syncDirectory } from '../../store/sync-directory.ts'
import type { OnProofProgress } from '../../metering/funds/ledger.ts'

const FILE_MODE = 0o600
/** Lines that are handed on at a time, and taken out of the database in one transaction: a few milliseconds. */
const PORTION = 25
const FILE = /^(?:usage|refusals|tries|audit)-\d{4}-\d\d-\d\d(?:\.\d+)?\.ndjson\.gz$/
const DRAFT = /\.ndjson\.gz\.part-[0-9a-f]{12}$/
const MARK_FILE = '.tollgate-place'
/** Longer than any is written. */
const OLDEST_DRAFT_MS = 86_400_000

/** The first part of a day has no number. */
export function archiveName(kind: ArchiveKind, dayAt: number, part: number): string {
  const day = new Date(dayAt).toISOString().slice(0, 10)
  return `${kind}-${day}${part === 1 ? '' : `.${part}`}.ndjson.gz`
}

function manifestName(name: string): string {
  return name.replace(/\.ndjson\.gz$/, '.manifest.json')
}

/** What was written, under a name that nothing takes for an archive. */
export interface ArchiveDraft {
  readonly path: string
  readonly records: number
  readonly cost: NanoUsd
  readonly bytes: number
  readonly sha256: string
}

/** Writes a draft, durable when the promise resolves; null: there were no lines. Rejects with what kept it from being written. */
export async function writeDraft(
  path: string,
  portions: AsyncIterable<ArchiveLines>,
  onPortion: (records: number) => void,
): Promise<ArchiveDraft | null> {
  let records = 0
  let cost = 0n
  let bytes = 0
  const digest = createHash('sha256')
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      digest.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  async function* text(): AsyncGenerator<string> {
    for await (const portion of portions) {
      records += portion.lines.length
      cost += portion.cost
      yield `${portion.lines.join('\n')}\n`
      onPortion(portion.lines.length)
    }
  }
  try {
    await pipeline(
      Readable.from(text()),
      createGzip(),
      counted,
      createWriteStream(path, { flags: 'wx', mode: FILE_MODE }),
    )
    if (records === 0) {
      await rm(path)
      return null
    }
    await sync(path)
    return { path, records, cost: nanoUsd(cost), bytes, sha256: digest.digest('hex') }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** Gives a draft its name; false: a file has that name already, and nothing was done. */
export async function publishDraft(draft: string, directory: string, name: string): Promise<boolean> {
  try {
    await link(draft, join(directory, name))
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  await rm(draft)
  await syncDirectory(directory)
  return true
}

/** Writes what an archive has beside it: counts, sums, and the hash of the file. */
export async function writeManifest(directory: string, archive: Archive): Promise<void> {
  const path = join(directory, manifestName(archive.name))
  const manifest = {
    format: 'tollgate-archive/1',
    file: archive.name,
    kind: archive.kind,
    day: new Date(archive.dayAt).toISOString().slice(0, 10),
    part: archive.part,
    records: archive.records,
    cost_usd: formatUsd(archive.cost),
    bytes: archive.bytes,
    sha256: archive.sha256,
    written_at: new Date(archive.writtenAt).toISOString(),
  }
  const draft = `${path}.part`
  await using file = await open(draft, 'w', FILE_MODE)
  await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`)
  await file.sync()
  await rename(draft, path)
  await syncDirectory(directory)
}

/** Why the file of an archive is not what was written; null: it is. */
export async function damageOf(directory: string, archive: Archive): Promise<'missing' | 'changed' | null> {
  const path = join(directory, archive.name)
  const found = await stat(path).catch(() => null)
  if (found === null) return 'missing'
  if (found.size !== archive.bytes) return 'changed'
  const digest = createHash('sha256')
  await pipeline(createReadStream(path), digest)
  return digest.digest('hex') === archive.sha256 ? null : 'changed'
}

async function hasManifest(directory: string, name: string): Promise<boolean> {
  return (await readFile(join(directory, manifestName(name)), 'utf8').catch(() => '')) !== ''
}

/** Reads the lines of an archive, in portions. Rejects for a file that cannot be read or unpacked. */
export async function* readArchive(directory: string, name: string): AsyncGenerator<readonly string[]> {
  const unpacked = createReadStream(join(directory, name)).pipe(createGunzip())
  unpacked.setEncoding('utf8')
  let rest = ''
  let lines: string[] = []
  for await (const chunk of unpacked) {
    const parts = (rest + String(chunk)).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      lines.push(line)
      if (lines.length < PORTION) continue
      yield lines
      lines = []
    }
  }
  if (lines.length > 0) yield lines
}

/** Returns the mark of a directory, wherever it is mounted: nodes that share it read the same. */
export async function directoryMark(directory: string, randomBytes: (count: number) => Buffer): Promise<string> {
  const path = join(directory, MARK_FILE)
  const made = randomBytes(16).toString('hex')
  const draft = `${path}-${made}`
  await writeFile(draft, `${made}\n`, { mode: FILE_MODE, flush: true })
  // Whole, or not there: another node may read it at this moment.
  await link(draft, path).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  await rm(draft)
  return (await readFile(path, 'utf8')).trim()
}

/** Deletes what runs that were killed left: drafts, and files that no database knows (`known`: their names). */
export async function clearLeftovers(directory: string, known: ReadonlySet<string>, nowMs: number): Promise<void> {
  for (const name of await readdir(directory)) {
    const isLeft = DRAFT.test(name) || (FILE.test(name) && !known.has(name) && !(await hasManifest(directory, name)))
    if (!isLeft) continue
    const path = join(directory, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: nowMs }))
    if (nowMs - mtimeMs > OLDEST_DRAFT_MS) await rm(path, { force: true })
  }
}

async function sync(path: string): Promise<void> {
  await using file = await open(path, 'r+')
  await file.sync()
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}

/** An archive that cannot prove anything, and why. */
interface UnusableArchive {
  readonly name: string
  readonly damage: 'missing' | 'changed'
}

/** The usage records of these archives, for the proof of the books; with those that are not what was written. */
export async function archivedRecords(
  directory: string,
  archives: readonly Archive[],
  onProgress: OnProofProgress = () => {},
): Promise<{ readonly records: ArchivedRecords; readonly unusable: readonly UnusableArchive[] }> {
  const ofUsage = archives.filter(({ kind }) => kind !== 'audit')
  const unusable: UnusableArchive[] = []
  for (const [at, archive] of ofUsage.entries()) {
    onProgress('archives', at, ofUsage.length)
    const damage = await damageOf(directory, archive)
    if (damage !== null) unusable.push({ name: archive.name, damage })
  }
  const count = ofUsage.reduce((sum, { records }) => sum + records, 0)
  return { records: { count, lines: () => linesOf(directory, ofUsage) }, unusable }
}

async function* linesOf(directory: string, archives: readonly Archive[]): AsyncGenerator<readonly string[]> {
  for (const { name } of archives) yield* readArchive(directory, name)
}
