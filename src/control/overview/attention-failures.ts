import { DAY_MS, HOUR_MS } from '../../core/durations.ts'
import { type FaultCode, FAULTS, type FaultPolicy } from '../../core/faults.ts'
import { nearNames } from '../../core/near-names.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import type { ListedCatalogue } from '../catalogue.ts'
import type { ControlStores } from '../parts.ts'
import type { RawItem } from './attention-item.ts'

/** Requests that failed lately, as far as they ask for an admin. */
export interface Failures {
  /** How many of the newest failed requests are like this. */
  recent(isLike: (record: UsageRecord) => boolean): number
  /** How many of the newest requests are like this, however they ended. */
  seen(isLike: (record: UsageRecord) => boolean): number
  /** The models of the newest failed requests for which upstreams are to blame, one for each request. */
  readonly failedAtUpstreams: readonly string[]
  /** Models that were asked for and are not there. */
  unknownModels(catalogue: ListedCatalogue): readonly RawItem[]
  readonly withoutBalance: readonly RawItem[]
}

const POLICIES: Readonly<Record<FaultCode, FaultPolicy>> = FAULTS
const RECENT_MS = 600_000
/** The most that one page of records may have. */
const LOOKED_AT = 200
const MOST_OF_A_KIND = 20

/** Four bounded looks at the newest records; `nowMs`: epoch milliseconds. */
export async function readFailures(nowMs: number, { usage, accounts, ledger }: ControlStores): Promise<Failures> {
  const newest = async (fault: 'any' | 'model_unknown' | 'balance_exhausted' | undefined, forMs: number) => {
    const page = await usage.list({ accountId: null, fault, fromMs: nowMs - forMs }, { after: null, limit: LOOKED_AT })
    return page.records
  }
  const [recent, all, unknown, unpaid] = await Promise.all([
    newest('any', RECENT_MS),
    newest(undefined, RECENT_MS),
    newest('model_unknown', DAY_MS),
    newest('balance_exhausted', HOUR_MS),
  ])
  const since = (records: readonly UsageRecord[]) =>
    new Date(Math.min(...records.map(({ createdAt }) => createdAt))).toISOString()
  const inRecent = (records: readonly UsageRecord[]) =>
    records.filter(({ createdAt }) => createdAt >= nowMs - RECENT_MS).length
  const byAccount = mostAsked(Map.groupBy(unpaid, ({ accountId }) => accountId))
  const unhealed = await Promise.all(
    byAccount.map(async ([id, records]) => {
      const [account, balance] = await Promise.all([accounts.findById(id), ledger.balance(id)])
      return account === null || balance > 0n ? [] : [{ account, records }]
    }),
  )
  return {
    recent: (isLike) => recent.filter(isLike).length,
    seen: (isLike) => all.filter(isLike).length,
    failedAtUpstreams: recent.flatMap(({ model, fault }) =>
      model !== null && fault !== null && POLICIES[fault].blame === 'upstream' ? [model] : [],
    ),
    unknownModels: ({ models }) => {
      const names = models.map(({ name }) => name)
      return mostAsked(Map.groupBy(unknown, ({ model }) => model ?? '')).flatMap(([model, records]) => {
        // It may have been added since.
        if (model === '' || names.includes(model)) return []
        const [nearest = null] = nearNames(model, names)
        return {
          kind: 'model_unknown' as const,
          model,
          nearest,
          since: since(records),
          requests: inRecent(records),
          detail: `The model "${model}" was asked for and is not there${nearest === null ? '' : ` (the nearest is "${nearest}")`}: add it, or tell those who ask its right name.`,
        }
      })
    },
    withoutBalance: unhealed.flat().map(({ account: { id, email }, records }) => ({
      kind: 'no_balance',
      account: { id, email },
      since: since(records),
      requests: inRecent(records),
      detail: `${email} calls in vain since its balance is used up: credit it.`,
    })),
  }
}

function mostAsked<Key>(groups: ReadonlyMap<Key, readonly UsageRecord[]>) {
  return [...groups].sort(([, a], [, b]) => b.length - a.length).slice(0, MOST_OF_A_KIND)
}
