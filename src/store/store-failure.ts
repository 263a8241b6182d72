import type { StoreFailure } from '../core/store-failures.ts'
import { StoreUnavailable } from '../core/store-unavailable.ts'

/** What an error of a store says of the database. An error without a word that is known here may be any failure. */
export function storeFailureOf(error: unknown): StoreFailure {
  if (withCauses(error).some(({ message }) => NO_CONNECTION_LEFT.test(message))) return 'unreachable'
  const answered = answeredFailure(error)
  if (answered !== null) return answered
  if (withCauses(error).some(({ message }) => STANDBY.test(message))) return 'read_only'
  return isWithoutAnswer(error) ? 'unreachable' : 'failing'
}

/** What poolers say, with a code of any kind. */
const NO_CONNECTION_LEFT = /no more connections allowed|client connections exceeded|remaining connection slots/
const STANDBY = /\bis a standby\b/

/** What a failure means that the database itself answered; null: it did not, or refused the statement for what it says. */
export function answeredFailure(error: unknown): StoreFailure | null {
  for (const each of withCauses(error)) {
    if ('sqliteCode' in each) return OF_SQLITE.get(Number(each.sqliteCode)) ?? null
    const code = 'code' in each ? String(each.code) : ''
    const known = OF_POSTGRES.find(([pattern]) => pattern.test(code))
    if (known !== undefined) return known[1]
  }
  return null
}

const CAUSES_LIMIT = 5

function withCauses(error: unknown): readonly Error[] {
  const found: Error[] = []
  for (let each = error; each instanceof Error && found.length < CAUSES_LIMIT; each = innerOf(each)) found.push(each)
  return found
}

/** A host name with several addresses fails with one error for each. */
function innerOf(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : error.cause
}

/** Primary result codes: locked, read-only, input or output, damaged, full, cannot be opened, not a database. */
const OF_SQLITE: ReadonlyMap<number, StoreFailure> = new Map([
  [5, 'unreachable'],
  [8, 'read_only'],
  [10, 'failing'],
  [11, 'failing'],
  [13, 'disk_full'],
  [14, 'failing'],
  [26, 'failing'],
])

/** SQLSTATEs: full, read-only, connections, resources, interference of an admin, errors of the system. */
const OF_POSTGRES: readonly (readonly [RegExp, StoreFailure])[] = [
  [/^53100$/, 'disk_full'],
  [/^25006$/, 'read_only'],
  [/^(?:080[0-9A-Z]{2}|53[0-9A-Z]{3}|57P0\d|28[0-9A-Z]{3}|3D000)$/, 'unreachable'],
  [/^(?:08P01|57014|58[0-9A-Z]{3}|XX[0-9A-Z]{3})$/, 'failing'],
]

/** Codes of the system, and what the driver says of a connection that ended or stays silent. */
const NO_CONNECTION = /^(?:E(?:CONN|HOST|NET|PIPE|TIMEDOUT|AI_AGAIN|ADDR)|ENOTFOUND)/
const SILENT =
  /timeout|timed out|did not answer|no answer|silent|terminated|connection (?:closed|ended)|store closed|renewed its life/i

function isWithoutAnswer(error: unknown): boolean {
  return withCauses(error).some(
    (each) =>
      each instanceof StoreUnavailable ||
      ('code' in each && NO_CONNECTION.test(String(each.code))) ||
      SILENT.test(each.message),
  )
}
