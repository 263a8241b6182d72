/** Passwords that are guessed. */
import { addressKey } from '../../access/address-key.ts'
import type { AuditEntry, AuditStore } from '../../access/audit.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import type { RawItem } from './attention-item.ts'

const LOOKED_BACK_MS = 3_600_000
const RECENT_MS = 600_000
/** The most that one page of entries may have. */
const LOOKED_AT = 200
/** People mistype: so many within the hour are more than that. */
const FEWEST_REFUSED = 20

/** Whether many sign-ins were refused in the last hour; `nowMs`: epoch milliseconds. Gone an hour after they end. */
export async function failedSignIns(nowMs: number, audit: Pick<AuditStore, 'page'>): Promise<readonly RawItem[]> {
  const refused = await audit.page({
    action: 'sign_in.sign_in_refused',
    fromMs: nowMs - LOOKED_BACK_MS,
    after: null,
    limit: LOOKED_AT,
  })
  const first = refused.at(-1)
  if (first === undefined || refused.length < FEWEST_REFUSED) return []
  const [most] = [...Map.groupBy(refused, ({ address }) => addressKey(address)).values()].toSorted(
    (a, b) => b.length - a.length,
  )
  const address = most?.[0]?.address ?? first.address
  const tried = { count: refused.length, address, from_address: most?.length ?? 0, accounts: accountsIn(refused) }
  return [
    {
      kind: 'sign_ins_failing',
      sign_ins: tried,
      since: timeOnWire(first.createdAt),
      requests: refused.filter(({ createdAt }) => createdAt >= nowMs - RECENT_MS).length,
      detail: `In the last hour at least ${tried.count} sign-ins were refused, ${tried.from_address} of them from ${address}: see the audit, and block the address before the gateway where it is not known.`,
    },
  ]
}

/** Counts the accounts whose address was given; others are not known. */
function accountsIn(refused: readonly Pick<AuditEntry, 'accountId'>[]): number {
  return new Set(refused.flatMap(({ accountId }) => (accountId === null ? [] : [accountId]))).size
}
