import { tokensOf } from './audit-charge.ts'
import { type Evidence, lifeOf } from './evidence.ts'
import { expectedCost } from './expected-charge.ts'
import { heldTokens } from './held-tokens.ts'
import { servingGroup } from './serving-group.ts'
import type { Sighting } from './watching-client.ts'
import type { WrittenBudget, WrittenRecord } from './written-books.ts'

/** Prose has fewer bytes in a token than this, however it is estimated; and of the newest bytes only a guess is known. */
const BYTES_PER_TOKEN = 5
const NEWEST_BYTES = 4_000
/** A stream that is short of money is looked at in pieces of so many bytes, of which the estimate takes three for a token. */
const PIECE_BYTES = 512
const BYTES_OF_ESTIMATE = 3
const LATE_TOKENS = 16
const LATE_PART = 16n
/** The least output with which a request is sent. */
const LEAST_TOKENS = 16n
/** A client that is gone left a request behind that may have gone on for so long. */
const UNSEEN_MS = 1_000

/**
 * No balance, quota or window is passed, but for what the requests that ran at one moment, on each thread by itself, cost
 * beyond what was held for them: see docs/money.md. Returns a sentence for each that is. Nano-USD.
 */
export function auditCaps(evidence: Evidence): string[] {
  const { books, sightings } = evidence
  const byTag = new Map(sightings.map((sighting) => [sighting.order.tag, sighting]))
  const charges = chargesByBudget(books.records)
  return books.budgets.flatMap((budget) => {
    const overshoot = highest(budget, evidence) - budget.limit_nano
    if (overshoot <= 0n) return []
    const beyond = explained(charges.get(budget.id) ?? [], byTag, evidence)
    if (overshoot <= beyond) return []
    return [`budget ${budget.id} of ${budget.limit_nano}: it is passed by ${overshoot}, and ${beyond} is explained`]
  })
}

/** The most that was ever used of it. A balance may have been topped up since; its entries show how low it was. */
function highest({ kind, subject_id, used_nano, limit_nano }: WrittenBudget, { books }: Evidence): bigint {
  if (kind !== 'balance') return used_nano
  const after = books.entries
    .filter((entry) => entry.account_id === subject_id)
    .map((entry) => entry.balance_after_nano)
  return limit_nano - after.reduce((least, one) => (one < least ? one : least), limit_nano - used_nano)
}

function chargesByBudget(records: readonly WrittenRecord[]): ReadonlyMap<string, readonly WrittenRecord[]> {
  const charges = new Map<string, WrittenRecord[]>()
  const note = (budgetId: string, record: WrittenRecord) => {
    const noted = charges.get(budgetId)
    if (noted === undefined) charges.set(budgetId, [record])
    else noted.push(record)
  }
  for (const record of records) {
    if (record.balance_paid_nano > 0n) note(`balance:${record.account_id}`, record)
    const others = JSON.parse(record.other_charges_json ?? '[]') as [string, string][]
    for (const [budgetId] of others) note(budgetId, record)
  }
  return charges
}

/**
 * What requests may have cost beyond what was held for them: those of one moment, and with several threads those of as many
 * moments of one life. Each thread spends by itself what it has leased, so one may come to its worst moment after another
 * has (src/metering/budgets/lease-book-laws.test.ts). Which thread had which request cannot be seen from here.
 */
function explained(
  records: readonly WrittenRecord[],
  byTag: ReadonlyMap<string, Sighting>,
  evidence: Evidence,
): bigint {
  const spans = records.flatMap((record) => {
    const sighting = byTag.get(record.client ?? '')
    if (sighting === undefined) return []
    const { beganAt, endedAt, hungUp } = sighting
    const to = endedAt + (hungUp ? UNSEEN_MS : 0)
    const beyond = beyondHold(sighting, record, evidence)
    return [{ from: beganAt, to, beyond, life: lifeOf(sighting, evidence) }]
  })
  const lives = [...Map.groupBy(spans, ({ life }) => life).values()]
  return lives.map((ofLife) => mostAtMoments(ofLife, evidence.threads)).reduce((a, b) => (a > b ? a : b), 0n)
}

interface Span {
  readonly from: number
  readonly to: number
  readonly beyond: bigint
}

/** The most that spans have which cover one of so many moments, each counted once. */
export function mostAtMoments(unsorted: readonly Span[], moments: number): bigint {
  const spans = unsorted.toSorted((one, other) => one.from - other.from)
  // A moment that is worth looking at is the beginning of a span. Of each: the most with it as the last of the moments so far.
  let most = spans.map(() => 0n)
  for (let moment = 0; moment < moments; moment++) {
    const before = most
    most = spans.map(({ from: at }, index) => {
      let best = 0n
      let newSince = 0n
      for (let first = index; first >= 0; first--) {
        const span = spans[first]
        if (span !== undefined && span.to >= at) newSince += span.beyond
        const sum = newSince + (before[first - 1] ?? 0n)
        if (sum > best) best = sum
      }
      return best
    })
  }
  return most.reduce((a, b) => (a > b ? a : b), 0n)
}

/** What this request cost beyond what was certainly held for it, by the decision on holds and nothing of the product. */
export function beyondHold(sighting: Sighting, record: WrittenRecord, { served }: Pick<Evidence, 'served'>): bigint {
  const { order, cutShortAfter, outputLimit } = sighting
  const { model, key, form, body } = order
  const { prices } = model
  const { multiplier } = servingGroup(key, record, served.requests[record.id])
  const tokens = tokensOf(record)
  const first = heldTokens(order)
  const dearest = { ...prices, input: prices.cacheWrite ?? prices.input }
  const cost = expectedCost(tokens, prices, multiplier)
  const beyond = (output: number | bigint): bigint => {
    const held = { ...NONE, input: BigInt(first.input), output: BigInt(output) }
    const rest = cost - expectedCost(held, dearest, multiplier)
    return rest > 0n ? rest : 0n
  }
  // Where less was held there is a lower limit, which such an upstream keeps.
  if (model.keepsLimits) return beyond(Math.min(first.output, outputLimit ?? Infinity))
  // Others write on: a stream is cut a sixteenth and some tokens beyond what is held, at the end of the event in which the
  // piece ends that crosses the line.
  const cutLate =
    BigInt(Math.ceil((model.chunkBytes + PIECE_BYTES) / BYTES_OF_ESTIMATE) + LATE_TOKENS) +
    (tokens.output ?? 0n) / LATE_PART
  const late = expectedCost({ ...NONE, output: cutLate }, prices, multiplier)
  if (cutShortAfter !== null) return late
  const textBytes = Math.max(0, (model.answerBytes ?? body.length) - NEWEST_BYTES)
  const written = record.outcome === 'completed' ? Math.floor(textBytes / BYTES_PER_TOKEN) : 0
  const held = beyond(form.isStream ? Math.max(first.output, written) : first.output)
  // Less was held where there was less, and a whole answer cannot be cut.
  const unheld = form.isStream ? late : beyond(LEAST_TOKENS)
  return held > unheld ? held : unheld
}

const NONE = { input: null, cacheRead: null, cacheWrite: null, cacheWrite1h: null, output: null, reasoning: null }
