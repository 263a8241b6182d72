/** What the failure of a statement says about its connection and its server. */
import pg from 'pg'
import { StoreUnavailable } from '../../core/store-unavailable.ts'

/** SQLSTATE of a write where nothing may be written: a standby, or a server that takes none at present. */
export const READ_ONLY = '25006'

/** A connection, its server, or the way there: lost, out of resources, shutting down, or taking no writes. */
const PASSING = /^(08|53|57P|58)|^25006$/
/** What leaves the connection of no use, though it may still be open: prepared statements that another session has made or lost, too. */
const SPOILED = /^(08|57P|25006|26000|42P05)/

export interface FailureMeaning {
  /** The connection is not to be used again. */
  readonly isSpoiled: boolean
  /** Others that are open lead to the same server, which is not the one to use any more. */
  readonly isOfServer: boolean
  /** A statement of that name is not what this session knows by it: something in between shares sessions. */
  readonly isOfNames: boolean
  /** What callers get. */
  readonly error: unknown
}

/** Judges what the driver rejected with. Defects of ours stay what they are. */
export function meaningOf(error: unknown): FailureMeaning {
  if (error instanceof StoreUnavailable) return meaning(error, { isSpoiled: true })
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return meaning(error, {})
  if (!(error instanceof pg.DatabaseError)) return meaning(unavailable(error), { isSpoiled: true })
  const { code = '', severity } = error
  const isEnd = severity === 'FATAL' || severity === 'PANIC'
  return meaning(isEnd || PASSING.test(code) ? unavailable(error) : error, {
    isSpoiled: isEnd || SPOILED.test(code),
    isOfServer: code === READ_ONLY,
    isOfNames: code === '26000' || code === '42P05',
  })
}

function meaning(error: unknown, about: Partial<Omit<FailureMeaning, 'error'>>): FailureMeaning {
  return { isSpoiled: false, isOfServer: false, isOfNames: false, ...about, error }
}

/** Returns the failure as one that may pass. A name with several addresses fails with one error for each, and none of its own. */
export function unavailable(error: Error): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const said = first instanceof Error && first.message !== '' ? first.message : error.name
  return new StoreUnavailable(said, { cause: error })
}

/** Whether the server, or a pooler before it, has no connection left for this role. */
export function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === '53300') || FULL_POOLER.test(error.message)
}

const FULL_POOLER = /no more connections allowed|client connections exceeded/
