/** Takes what has become too old out of the database: first into the archive, then in small portions with pauses between. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '../../core/durations.ts'
import type { Archive, ArchiveKind, ArchiveLines, DaysApart, RetentionStore } from '../../metering/usage/retention.ts'
import { makeDirectory } from '../../store/make-directory.ts'
import type { Settings } from '../installation/environment.ts'
import { inPortions, PortionPace } from './portion-pace.ts'
import {
  archiveName,
  clearLeftovers,
  damageOf,
  directoryMark,
  publishDraft,
  readArchive,
  writeDraft,
  writeManifest,
} from './archive-file.ts'

const SESSIONS_AT_ONCE = 500
/** How long the pause after a portion that is compared is, as a multiple of what it took: requests have most of the time. */
const PAUSES = 5
const SHORTEST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 2_000
/** So long the node that wrote an archive has to take out what it has. */
const ELSEWHERE_MS = DAY_MS
/** Names that may be taken already where a database was restored from a backup. */
const PARTS_LIMIT = 1_000

export type RetentionSettings = Pick<
  Settings,
  'keepUsage' | 'keepRefusals' | 'keepTries' | 'keepAudit' | 'keepSessions' | 'archiveDir' | 'dataDir' | 'databaseUrl'
>

export interface RetentionOptions {
  readonly store: RetentionStore
  readonly settings: RetentionSettings
  readonly now: () => number
  /** Milliseconds that only grow. */
  readonly elapsed: () => number
  readonly randomBytes: (count: number) => Buffer
  /** Rejects or resolves early when the work is to stop. */
  readonly pause: (ms: number) => Promise<void>
  /** Asked between two portions. */
  readonly isStopped: () => boolean
  readonly onProgress: (step: string, done: number, all: number) => void
  /** Whether everything is counted first, for the progress: a large table takes seconds. */
  readonly counts: boolean
}

/** What a run did. */
export interface RetentionOutcome {
  readonly retired: Readonly<Record<ArchiveKind, number>>
  readonly sessions: number
  readonly archives: readonly string[]
  /** Archives of which not everything was taken out, whose file is not there or is another. */
  readonly unusable: readonly string[]
  /** Archives of another directory of which not everything was taken out, and whose node has not gone on for a day. */
  readonly elsewhere: readonly string[]
  /** Archives whose day is still there, since others had the table all the while: the next run tries again. */
  readonly waiting: readonly string[]
  readonly daysApart: DaysApart
}

/** Where archives are written. */
export function archiveDirectory({ archiveDir, dataDir }: Pick<RetentionSettings, 'archiveDir' | 'dataDir'>): string {
  return archiveDir ?? join(dataDir, 'archive')
}

/** Every kind that goes, with the moment before which it goes: whole days, UTC. */
export function endsOf(settings: RetentionSettings, nowMs: number): readonly (readonly [ArchiveKind, number])[] {
  const { keepUsage: usage, keepTries: tries, keepRefusals: refusals, keepAudit: audit } = settings
  const kept = { usage, tries, refusals, audit }
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  return (Object.keys(kept) as (keyof typeof kept)[]).flatMap((kind) => {
    const days = kept[kind]
    return days === null ? [] : [[kind, Math.max(0, today - days * DAY_MS)] as const]
  })
}

export class RetentionRun {
  readonly #options: RetentionOptions
  readonly #directory: string
  readonly #retired: Record<ArchiveKind, number> = { usage: 0, refusals: 0, tries: 0, audit: 0 }
  readonly #archives: string[] = []
  readonly #unusable: string[] = []
  readonly #elsewhere: string[] = []
  readonly #waiting: string[] = []
  #place: string | null = null
  #pace: PortionPace | null = null

  constructor(options: RetentionOptions) {
    this.#options = options
    this.#directory = archiveDirectory(options.settings)
  }

  /**
   * Returns early when it is stopped; the next run goes on from there. Rejects with what the database or the file system says:
   * whatever was not archived is still there then.
   */
  async run(): Promise<RetentionOutcome> {
    const { store, settings, now, randomBytes } = this.#options
    const ends = endsOf(settings, now())
    const daysApart = await store.setDaysApart(now(), settings.keepUsage !== null)
    const known = await store.archives()
    if (ends.length > 0) {
      await makeDirectory(this.#directory, 0o700)
      await clearLeftovers(this.#directory, new Set(known.map(({ name }) => name)), now())
      this.#place = await directoryMark(this.#directory, randomBytes)
    }
    const resumed = known.filter(({ isFinished, kind }) => !isFinished && ends.some(([each]) => each === kind))
    for (const archive of resumed) {
      const isHere = archive.place === null || archive.place === this.#place
      if (isHere) await this.#takeOut(archive)
      else if (now() - archive.writtenAt > ELSEWHERE_MS) this.#elsewhere.push(archive.name)
    }
    for (const [kind, beforeMs] of ends) {
      await this.#retire(kind, beforeMs)
      if (kind === 'usage') await store.dropEmptyDays(beforeMs)
    }
    const sessions = await this.#sessions(now() - settings.keepSessions * DAY_MS)
    return {
      retired: this.#retired,
      sessions,
      archives: this.#archives,
      unusable: this.#unusable,
      elsewhere: this.#elsewhere,
      waiting: this.#waiting,
      daysApart,
    }
  }

  async #retire(kind: ArchiveKind, beforeMs: number): Promise<void> {
    const { store, counts, isStopped } = this.#options
    const all = counts ? await store.count(kind, beforeMs) : 0
    let done = 0
    for (let fromMs = 0; !isStopped();) {
      const dayAt = await store.oldestDay(kind, { fromMs, beforeMs })
      if (dayAt === null) return
      const archive = await this.#write(kind, dayAt)
      if (archive !== null) {
        await this.#takeOut(archive, (count) => {
          done += count
          this.#options.onProgress(STEPS[kind], done, Math.max(all, done))
        })
      }
      fromMs = dayAt + DAY_MS
    }
  }

  /** Writes everything of the day to a new file, which the database then knows. Null: there is nothing, or others do it. */
  async #write(kind: ArchiveKind, dayAt: number): Promise<Archive | null> {
    const { store, now, randomBytes } = this.#options
    const before = await store.archives({ kind, dayAt })
    // Its rows are still going; or its file is elsewhere, and what it has must not be written twice.
    if (before.some(({ isFinished }) => !isFinished)) return null
    const first = Math.max(0, ...before.map(({ part }) => part)) + 1
    const path = join(this.#directory, `${archiveName(kind, dayAt, first)}.part-${randomBytes(6).toString('hex')}`)
    const draft = await writeDraft(path, this.#untilStopped(store.lines(kind, dayAt)), () => {})
    if (draft === null) return null
    const { records, cost, bytes, sha256 } = draft
    for (let part = first; part < first + PARTS_LIMIT; part++) {
      const name = archiveName(kind, dayAt, part)
      if (!(await publishDraft(draft.path, this.#directory, name))) continue
      const archive = {
        name,
        kind,
        dayAt,
        part,
        records,
        cost,
        bytes,
        sha256,
        writtenAt: now(),
        place: this.#place,
        isFinished: false,
      }
      if (!(await store.register(archive, first - 1))) {
        await rm(join(this.#directory, name))
        return null
      }
      await writeManifest(this.#directory, archive)
      this.#archives.push(name)
      return archive
    }
    throw new Error(`${this.#directory} has ${PARTS_LIMIT} archives of one day: move them elsewhere`)
  }

  async *#untilStopped(portions: AsyncIterable<ArchiveLines>): AsyncGenerator<ArchiveLines> {
    for await (const portion of portions) {
      if (this.#options.isStopped()) throw new Stopped()
      yield portion
    }
  }

  /** Takes out of the database what the archive has. */
  async #takeOut(archive: Archive, onPortion: (count: number) => void = () => {}): Promise<void> {
    const { store, elapsed, pause, isStopped } = this.#options
    if ((await damageOf(this.#directory, archive)) !== null) {
      this.#unusable.push(archive.name)
      return
    }
    await writeManifest(this.#directory, archive)
    if (archive.kind === 'usage') {
      const left = await this.#dropDay(archive, onPortion)
      if (left === 'later') this.#waiting.push(archive.name)
      if (left === 'nothing') await store.finish(archive.name)
      if (left !== 'lines') return
    }
    this.#pace ??= new PortionPace(await store.newestRecord(), elapsed())
    const pace = this.#pace
    for await (const lines of inPortions(readArchive(this.#directory, archive.name), () => pace.rows)) {
      if (isStopped()) return
      const began = elapsed()
      this.#retired[archive.kind] += await store.retire(archive.kind, lines)
      const atMs = elapsed()
      onPortion(lines.length)
      await pause(pace.after({ atMs, tookMs: atMs - began, newest: await store.newestRecord() }))
    }
    await store.finish(archive.name)
  }

  /** What is left of a day: it may have a part of the table of its own. */
  async #dropDay({ name, dayAt }: Archive, onPortion: (count: number) => void): Promise<'nothing' | 'lines' | 'later'> {
    const { store, elapsed, pause, isStopped } = this.#options
    let began = elapsed()
    const dropped = await store.dropDay({
      dayAt,
      lines: () => readArchive(this.#directory, name),
      between: async () => {
        await pause(pauseAfter(elapsed() - began))
        if (isStopped()) throw new Stopped()
        began = elapsed()
      },
    })
    if (dropped === 'later') return 'later'
    if (dropped === 'by_lines') return 'lines'
    this.#retired.usage += dropped
    onPortion(dropped)
    // Records that came late, or by a clock that was wrong, are not in the part of their day.
    const late = await store.oldestDay('usage', { fromMs: dayAt, beforeMs: dayAt + DAY_MS })
    return late === null ? 'nothing' : 'lines'
  }

  async #sessions(beforeMs: number): Promise<number> {
    let gone = 0
    while (!this.#options.isStopped()) {
      const count = await this.#options.store.forgetSessions(beforeMs, SESSIONS_AT_ONCE)
      gone += count
      if (count < SESSIONS_AT_ONCE) break
      await this.#options.pause(SHORTEST_PAUSE_MS)
    }
    return gone
  }
}

function pauseAfter(tookMs: number): number {
  return Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, tookMs * PAUSES))
}

/** Thrown in the middle of writing an archive, of which what was written is deleted. */
export class Stopped extends Error {
  constructor() {
    super('stopped')
  }
}

/** What is counted, in words. */
export const STEPS: Readonly<Record<ArchiveKind, string>> = {
  usage: 'usage records',
  tries: 'failed tries',
  refusals: 'refusals',
  audit: 'audit entries',
}
