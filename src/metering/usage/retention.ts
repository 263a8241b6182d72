import { timeOfId } from '../../core/ids.ts'
import type { NanoUsd } from '../../core/money.ts'

/**
 * What of the usage records goes: all of them, or refusals that cost nothing; among these, tries with a secret that was not
 * right or at a path that is not one.
 */
export type ArchivedKind = 'usage' | 'refusals' | 'tries'

/** When the usage records that are kept begin, where older ones went: the first day that is whole, UTC. null: none went. */
export interface KeptSince {
  readonly recordsMs: number | null
  /** When the kept records of refusals that cost nothing begin. Never earlier than those of records. */
  readonly refusalsMs: number | null
}

/** Whether records of the time of a request were deleted, and when the kept ones begin. */
export interface DeletedRecords {
  readonly which: 'all' | 'refusals'
  readonly keptSinceMs: number
}

/** Says why there may be no record with this id, which has its time; null: nothing of that time was deleted. */
export function deletedAt(requestId: string, { recordsMs, refusalsMs }: KeptSince): DeletedRecords | null {
  const atMs = /^req_[0-9a-z]{26}$/.test(requestId) ? timeOfId(requestId) : null
  if (atMs === null) return null
  if (recordsMs !== null && atMs < recordsMs) return { which: 'all', keptSinceMs: recordsMs }
  if (refusalsMs !== null && atMs < refusalsMs) return { which: 'refusals', keptSinceMs: refusalsMs }
  return null
}

/** What is written to an archive before it goes. */
export type ArchiveKind = ArchivedKind | 'audit'

/** A file of one kind and day (UTC), as the database knows it. Only what stands in such a file is ever taken out. */
export interface Archive {
  /** The name of the file, without its directory. */
  readonly name: string
  readonly kind: ArchiveKind
  /** Epoch milliseconds. */
  readonly dayAt: number
  /** 1 for the first of its kind and day. */
  readonly part: number
  readonly records: number
  readonly cost: NanoUsd
  readonly bytes: number
  /** The hash of the file, in hexadecimal digits. */
  readonly sha256: string
  readonly writtenAt: number
  /** The mark of the directory that has the file: nodes may have one each. null: written before that was noted. */
  readonly place: string | null
  /** Everything in it was taken out of the database. */
  readonly isFinished: boolean
}

/** Some rows as lines of JSON, and what they cost together. */
export interface ArchiveLines {
  readonly lines: readonly string[]
  readonly cost: NanoUsd
}

/** What the archive has of the usage records that are in the books no more, for the proof. */
export interface ArchivedRecords {
  /** How many there are. */
  readonly count: number
  /** Lines of every archive of usage records, in portions; each call reads them anew. */
  lines(): AsyncIterable<readonly string[]>
}

/**
 * Whether each day of usage records is a part of its own, which goes as a whole. 'later': others had the table, so that another
 * call goes on; 'refused': the table has records of days that are far ahead, and stays as it is.
 */
export type DaysApart = 'no' | 'yes' | 'later' | 'refused'

/** A day of usage records, with the archive that has it. */
export interface DayToDrop {
  readonly dayAt: number
  /** What the archive has, in the order of the ids, in portions; each call reads it anew. */
  lines(): AsyncIterable<readonly string[]>
  /** Called between two portions, to let others work. Rejects when the work is to stop: then nothing was done. */
  between(): Promise<void>
}

/**
 * How many records went with the day. 'by_lines': nothing did, and they are to be taken out line by line; 'later': others had the
 * table, and another call tries again.
 */
export type DroppedDay = number | 'by_lines' | 'later'

/**
 * Takes old rows out of the database, in bounded portions. Roll-ups, the ledger and budgets stay, and the sums of what goes
 * are kept, so that the books agree after each portion.
 */
export interface RetentionStore {
  /** Where a database can do that: lets coming days of usage records be parts of their own, if `wanted` or if they are already. */
  setDaysApart(nowMs: number, wanted: boolean): Promise<DaysApart>
  /** Takes out a day that is a part of its own as a whole, if the archive has all of it. */
  dropDay(day: DayToDrop): Promise<DroppedDay>
  /** Parts of days before that moment that are empty go. Returns how many. */
  dropEmptyDays(beforeMs: number): Promise<number>
  /** The oldest day, UTC, with something of the kind that began in this span; null: there is none. */
  oldestDay(kind: ArchiveKind, span: { readonly fromMs: number; readonly beforeMs: number }): Promise<number | null>
  /** The id of the newest usage record: another one than before says that requests are served. null: there is none. */
  newestRecord(): Promise<string | null>
  /** How many of the kind began before `beforeMs`. */
  count(kind: ArchiveKind, beforeMs: number): Promise<number>
  /** Everything of the kind and day, oldest first, in portions. */
  lines(kind: ArchiveKind, dayAt: number): AsyncIterable<ArchiveLines>
  /** All archives, or those of a kind and day. */
  archives(of?: { readonly kind: ArchiveKind; readonly dayAt: number }): Promise<readonly Archive[]>
  /** `lastPart`: of its day, when its rows were read; 0: none. False: another run has written one since, so they may be in it. */
  register(archive: Archive, lastPart: number): Promise<boolean>
  /** Takes out what is still there exactly as a line says. Returns how many rows went. */
  retire(kind: ArchiveKind, lines: readonly string[]): Promise<number>
  finish(name: string): Promise<void>
  /** Deletes at most `limit` sessions that ended before `beforeMs`, and returns how many. */
  forgetSessions(beforeMs: number, limit: number): Promise<number>
}
