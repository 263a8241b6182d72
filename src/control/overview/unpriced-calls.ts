import { type CallKind, CALL_KINDS, unpricedKinds } from '../../core/calls.ts'
import { DAY_MS } from '../../core/durations.ts'
import { readFacts } from '../../core/fault-facts.ts'
import { isFree } from '../../core/prices.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import type { ListedCatalogue } from '../catalogue.ts'
import type { ControlStores } from '../parts.ts'
import type { RawItem } from './attention-item.ts'
import type { Failures } from './attention-failures.ts'

/** The most that one page of records may have. */
const LOOKED_AT = 200

/**
 * Models of which requests of the last day were refused for want of a fee for a tool of the provider's, or ran such calls for
 * nothing. Fees that were added since heal them.
 */
export async function unpricedCalls(
  nowMs: number,
  { usage }: Pick<ControlStores, 'usage'>,
  { catalogue, failures }: { readonly catalogue: ListedCatalogue; readonly failures: Failures },
): Promise<readonly RawItem[]> {
  const since = { accountId: null, fromMs: nowMs - DAY_MS }
  const page = { after: null, limit: LOOKED_AT }
  const [refused, noted] = await Promise.all([
    usage.list({ ...since, fault: 'request_invalid' }, page),
    usage.list({ ...since, note: 'calls_unpriced' }, page),
  ])
  const records = [...refused.records, ...noted.records]
  return catalogue.models.flatMap((model): RawItem[] => {
    const { name, prices } = model
    if (prices === null || isFree(prices)) return []
    const about = { fees: prices.calls, hasRequestPrice: (prices.units?.request ?? null) !== null }
    const own = records.filter((record) => record.model === name)
    const lacking = CALL_KINDS.filter((kind) => own.some((record) => kindsLacked(record, about).includes(kind)))
    if (lacking.length === 0) return []
    const isHit = (record: UsageRecord) => record.model === name && kindsLacked(record, about).length > 0
    return [
      {
        kind: 'calls_unpriced',
        model: name,
        lacks: lacking,
        requests: failures.seen(isHit),
        detail: `The model "${name}" has no fee for ${lacking.join(', ')}, of which requests asked for calls: add a fee for each to its price, or 0 where the provider charges none.`,
      },
    ]
  })
}

type Fees = Parameters<typeof unpricedKinds>[1]

/** What the record's calls, or those that it was refused for, lack a fee for by now. */
function kindsLacked({ fault, faultFacts, usageNotes, tokens }: UsageRecord, about: Fees): readonly CallKind[] {
  if (usageNotes.includes('calls_unpriced')) return unpricedKinds(tokens.calls ?? {}, about)
  if (fault !== 'request_invalid') return []
  const { lacks = '' } = readFacts(fault, faultFacts) ?? {}
  const kinds = CALL_KINDS.filter((kind) => lacks.split(' or ').includes(kind))
  return kinds.every((kind) => about.fees?.[kind] === undefined) ? kinds : []
}
