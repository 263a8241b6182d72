/** Sends many fuzzed requests over many connections at once, and says what broke. */
import { type FuzzCase, fuzzCase, type FuzzSource } from './fuzz-case.ts'
import { FuzzConnection, type Outcome } from './fuzz-connection.ts'

export interface FuzzReport {
  readonly sent: number
  /** Counts by status and fault, as `401 key_invalid`. */
  readonly counts: ReadonlyMap<string, number>
  /** What must not come: the first few, each with the number of its case. */
  readonly failures: readonly string[]
}

/** What was under way when, to find the case behind a stall. */
export interface Flight {
  readonly index: number
  readonly from: number
  readonly to: number
}

export interface FuzzOptions extends FuzzSource {
  readonly origin: string
  readonly from: number
  readonly count: number
  readonly connections: number
  /** Called after each case. */
  readonly landed?: (flight: Flight) => void
}

const FAILURES_SHOWN = 20

export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { origin, from, count, connections, landed } = options
  const counts = new Map<string, number>()
  const failures: string[] = []
  let next = from
  const workOff = async (): Promise<void> => {
    const connection = new FuzzConnection(origin)
    while (next < from + count) {
      const one = fuzzCase(next++, options)
      const began = Date.now()
      const outcome = await connection.send(one.bytes, one)
      landed?.({ index: one.index, from: began, to: Date.now() })
      const name = `${outcome.status} ${outcome.fault ?? ''}`.trim()
      counts.set(name, (counts.get(name) ?? 0) + 1)
      const failure = failureOf(one, outcome, options)
      if (failure !== null && failures.length < FAILURES_SHOWN) failures.push(failure)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, workOff))
  return { sent: count, counts, failures }
}

/** An answer of 500 and above that is the gateway's own, or none at all. What an upstream did wrong is its own fault. */
function failureOf(one: FuzzCase, outcome: Outcome, { seed, sender }: FuzzSource): string | null {
  const isOurs = outcome.status >= 500 && !(outcome.fault ?? '').startsWith('upstream_')
  // A method, a version or a transfer coding that is not implemented, and a check of readiness, may say so.
  const isSaid = [501, 505].includes(outcome.status)
  if ((!isOurs || isSaid) && !outcome.isOverdue) return null
  const what = outcome.isOverdue ? 'no answer' : `${outcome.status} ${outcome.fault ?? ''}`
  return `${what}: ${sender}, seed ${seed}, case ${one.index}: ${JSON.stringify(one.bytes.toString('latin1', 0, 300))}`
}
