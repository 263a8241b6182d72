import { allowedOutcomes } from './allowed-outcomes.ts'
import { auditCharge } from './audit-charge.ts'
import { described, type Evidence, wasInTrouble } from './evidence.ts'
import { heldTokens } from './held-tokens.ts'
import type { LoadKey } from './orders.ts'
import { isCovered, type LoadGroup } from './serving-group.ts'
import type { Sighting } from './watching-client.ts'
import type { WrittenRecord } from './written-books.ts'

/** A client that asks in vain again and again leaves so many records a minute and key. */
const RECORDED_REFUSALS = 60

/** Once in so many requests, without a trouble. */
const RARELY = 50

/** Compares what every client saw with the records, one by one. Returns a sentence for each disagreement. */
export function auditAnswers(evidence: Evidence): string[] {
  const byTag = Map.groupBy(evidence.books.records, ({ client }) => client ?? '')
  const tags = new Set(evidence.sightings.map(({ order }) => order.tag))
  const strays = evidence.books.records.filter(({ client }) => !tags.has(client ?? ''))
  return [
    ...strays.map(({ id, client }) => `record ${id}: its client "${client}" never asked`),
    ...evidence.sightings.flatMap((sighting) =>
      [...auditAnswer(sighting, byTag.get(sighting.order.tag) ?? [], evidence)].map(
        (what) => `${described(sighting)}: ${what}`,
      ),
    ),
    ...auditRefusals(evidence),
    ...auditUnavailable(evidence),
  ]
}

/**
 * A machine that is busy with other work may keep a gateway from its database, or a node from its beat, for so long that it
 * rather refuses than guesses. Its clients lose nothing by that; but where nothing was broken, it has to be rare.
 */
function auditUnavailable(evidence: Evidence): string[] {
  const { sightings, books } = evidence
  const cut = new Set(books.records.filter(({ fault }) => fault === 'store_unavailable').map(({ client }) => client))
  const said = sightings.filter((seen) => seen.fault === 'store_unavailable' || cut.has(seen.order.tag))
  const unexplained = said.filter((seen) => !wasInTrouble(seen, evidence)).length
  if (unexplained * RARELY <= sightings.length) return []
  return [`store_unavailable was said ${unexplained} times in ${sightings.length} without a trouble`]
}

function* auditAnswer(
  sighting: Sighting,
  records: readonly WrittenRecord[],
  evidence: Evidence,
): Generator<string, void> {
  if (records.length > 1) yield `it has ${records.length} records`
  if (isStump(sighting)) yield 'a stream without its terminal event ended cleanly'
  const [record] = records
  const allowed = allowedOutcomes(sighting, evidence)
  const outcome = record?.outcome ?? 'none'
  if (!allowed.some((one) => one === outcome)) yield `its outcome is ${outcome}, not ${allowed.join(' or ')}`
  if (record === undefined) return
  yield* auditRecord(sighting, record)
  yield* auditFault(sighting, record)
  yield* auditCharge(sighting, record, evidence)
}

/** Clients would take it for the answer. */
function isStump({ status, order, sawEnd, endedCleanly }: Sighting): boolean {
  return status === 200 && order.form.isStream && endedCleanly && !sawEnd
}

/** What a record says of the request, apart from money. */
function* auditRecord({ order, ...seen }: Sighting, record: WrittenRecord): Generator<string, void> {
  const { form, key, model } = order
  const ofBody = ({ model: named, is_stream: isStream }: WrittenRecord): readonly Names[] => [
    ['model', named, model.name],
    ['stream', isStream, form.isStream ? 1n : 0n],
  ]
  if (seen.requestId !== null && record.id !== seen.requestId) yield `its record is of ${record.id}`
  const names: readonly Names[] = [
    ['account', record.account_id, key.accountId],
    ['key', record.key_id, key.id],
    ['wire', record.wire, form.wire],
    // Refused before the gateway looked into the body, it may have none of these.
    ...(record.outcome === 'refused' && record.model === null ? [] : ofBody(record)),
  ]
  for (const [what, written, meant] of names) {
    if (written !== meant) yield `the record's ${what} is ${String(written)}, not ${String(meant)}`
  }
}

type Names = readonly [what: string, written: unknown, meant: unknown]

/** How a record says that the request ended. */
function* auditFault(seen: Sighting, record: WrittenRecord): Generator<string, void> {
  const isLate = seen.status === 429 || seen.status === 503
  if (isLate && seen.retryAfter === null) yield 'its client did not learn when to come back'
  // No process lived to note what a client of an interrupted request got, or that an answer was held back after all.
  if (record.outcome === 'interrupted' || (seen.isHeldBack && record.outcome === 'completed')) return
  if (seen.fault !== null && record.fault !== seen.fault) yield `the record's fault is ${record.fault}`
  if (seen.status !== null && record.http_status !== BigInt(seen.status)) {
    yield `the record's status is ${record.http_status}`
  }
  if (record.fault !== null && isOfLimit(record.fault) && !limitsOf(seen.order.key).has(record.fault)) {
    yield `its key has no limit that is called ${record.fault}`
  }
  if (record.outcome !== 'completed') return
  const isCutShort = seen.sawEnd ? seen.cutShortAfter !== null : record.fault !== null
  if (isCutShort && record.fault === null) yield* auditLimited(seen)
  else if (isCutShort !== (record.fault !== null)) yield `it is completed with fault ${record.fault}`
  const mayBeCut = isOfLimit(record.fault) || record.fault === 'store_unavailable'
  if (record.fault !== null && !mayBeCut) yield `it was cut short because of ${record.fault}`
}

/** An answer that ended at a limit: one that the gateway lowered, or that its client had set below what the answer has. */
function* auditLimited({ order, outputLimit }: Sighting): Generator<string, void> {
  const { model, body } = order
  if (!model.keepsLimits) yield 'its model keeps no limits, and ended at one'
  // Of the fake upstream no token has fewer bytes.
  const mayBeOwn = heldTokens(order).output * LEAST_TOKEN_BYTES < (model.answerBytes ?? body.length)
  if (outputLimit === null && !mayBeOwn) yield 'its upstream ended it at a limit that was not lowered'
}

const LEAST_TOKEN_BYTES = 2

const EXHAUSTED = new Set(['balance_exhausted', 'key_quota_exhausted', 'subscription_quota_exhausted', 'rate_limited'])

function isOfLimit(fault: string | null): boolean {
  return fault !== null && EXHAUSTED.has(fault)
}

/** The faults by which this key's limits may refuse a request, or end it. */
function limitsOf(key: LoadKey): ReadonlySet<string> {
  const { quota, fallback, limits = {} } = key
  const { spend, concurrency, requestsPerMinute, tokensPerMinute } = limits
  const groups: readonly LoadGroup[] = fallback === undefined ? [key] : [key, fallback]
  const names: string[] = groups.map((group) =>
    isCovered(key, group) ? 'subscription_quota_exhausted' : 'balance_exhausted',
  )
  if (quota !== null) names.push('key_quota_exhausted')
  if ([spend, concurrency, requestsPerMinute, tokensPerMinute].some((limit) => limit !== undefined)) {
    names.push('rate_limited')
  }
  return new Set(names)
}

/** Refusals are recorded until there are many of one key, so none of the first may be missing. */
function auditRefusals({ sightings, books, lives }: Evidence): string[] {
  if (lives.length > 0) return []
  const refusals = sightings.filter(({ status }) => status === 402)
  return [...Map.groupBy(refusals, ({ order }) => order.key.id)].flatMap(([keyId, { length }]) => {
    const recorded = books.records.filter((record) => record.key_id === keyId && record.outcome === 'refused').length
    const due = Math.min(RECORDED_REFUSALS, length)
    return recorded < due ? [`key ${keyId}: ${recorded} of ${length} refusals are recorded, not ${due}`] : []
  })
}
