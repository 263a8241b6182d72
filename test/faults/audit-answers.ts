import { allowedOutcomes } from './allowed-outcomes.ts'
import { auditCharge } from './audit-charge.ts'
import { described, type Evidence } from './evidence.ts'
import type { Sighting } from './watching-client.ts'
import type { WrittenRecord } from './written-books.ts'

/** A client that asks in vain again and again leaves so many records a minute and key. */
const RECORDED_REFUSALS = 60

/** Compares what every client saw with the records, one by one. Answers a sentence for each disagreement. */
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
  ]
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
  yield* auditCharge(sighting, record, evidence)
}

/** Clients would take it for the answer. */
function isStump({ status, order, sawEnd, endedCleanly }: Sighting): boolean {
  return status === 200 && order.form.isStream && endedCleanly && !sawEnd
}

/** What a record says of the request, apart from money. */
function* auditRecord({ order, ...seen }: Sighting, record: WrittenRecord): Generator<string, void> {
  const { form, key, model } = order
  if (seen.requestId !== null && record.id !== seen.requestId) yield `its record is of ${record.id}`
  const names: readonly (readonly [string, unknown, unknown])[] = [
    ['account', record.account_id, key.accountId],
    ['key', record.key_id, key.id],
    ['model', record.model, model.name],
    ['wire', record.wire, form.wire],
    ['stream', record.is_stream, form.isStream ? 1n : 0n],
  ]
  for (const [what, written, meant] of names) {
    if (written !== meant) yield `the record's ${what} is ${String(written)}, not ${String(meant)}`
  }
  // Nobody lived to note what a client of an interrupted request got.
  const isKnown = record.outcome !== 'interrupted'
  if (isKnown && seen.fault !== null && record.fault !== seen.fault) yield `the record's fault is ${record.fault}`
  if (isKnown && seen.status !== null && record.http_status !== BigInt(seen.status)) {
    yield `the record's status is ${record.http_status}`
  }
  if (record.outcome === 'completed' && record.fault !== null) yield `it is completed with fault ${record.fault}`
}

/** Refusals are recorded until there are many of one key, so none of the first may be missing. */
function auditRefusals({ sightings, books, killedAt }: Evidence): string[] {
  if (killedAt.length > 0) return []
  const refusals = sightings.filter(({ status }) => status === 402)
  return [...Map.groupBy(refusals, ({ order }) => order.key.id)].flatMap(([keyId, { length }]) => {
    const recorded = books.records.filter((record) => record.key_id === keyId && record.outcome === 'refused').length
    const due = Math.min(RECORDED_REFUSALS, length)
    return recorded < due ? [`key ${keyId}: ${recorded} of ${length} refusals are recorded, not ${due}`] : []
  })
}
