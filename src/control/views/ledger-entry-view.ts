import type { LedgerEntryView } from '../../contract/billing.ts'
import { formatUsd } from '../../core/money.ts'
import type { LedgerEntry } from '../../metering/funds/ledger.ts'
import { type RedeemCodeStore, redeemedCodeId } from '../../metering/funds/redeem-code.ts'
import type { RequestSubject } from '../../metering/usage/usage-store.ts'
import { timeOnWire } from '../api/wire-forms.ts'

/** What stands elsewhere about an entry. */
export interface AboutEntry {
  readonly isStaff: boolean
  /** The key and model of the request that it charges. */
  readonly subject?: RequestSubject | undefined
  /** How the code ends that was redeemed. */
  readonly codeEnd?: string | undefined
}

/** An entry; which admin or program made it is shown to admins alone. */
export function ledgerEntryView(entry: LedgerEntry, { isStaff, subject, codeEnd }: AboutEntry): LedgerEntryView {
  return {
    id: entry.id,
    created_at: timeOnWire(entry.createdAt),
    kind: entry.kind,
    amount: formatUsd(entry.amount),
    balance_after: formatUsd(entry.balanceAfter),
    request_id: entry.requestId,
    reason: entry.reason,
    reference: entry.reference,
    actor: isStaff ? entry.actor : shownActor(entry),
    key_id: subject?.keyId ?? null,
    key_name: subject?.keyName ?? null,
    model: subject?.model ?? null,
    code_end: codeEnd ?? null,
  }
}

/** What acts by itself is named; all others are the owner or an admin. */
function shownActor({ actor, accountId }: LedgerEntry): string {
  if (actor === accountId) return 'you'
  return PROGRAMS.includes(actor) ? actor : 'an admin'
}

const PROGRAMS = ['gateway', 'config', 'cli', 'payment']

/** How each code ends that was redeemed in one of these entries, by the id of the entry. */
export async function codeEndsOf(
  entries: readonly LedgerEntry[],
  redeemCodes: Pick<RedeemCodeStore, 'endsOf'>,
): Promise<ReadonlyMap<string, string>> {
  const codes = entries.flatMap((entry) => {
    const codeId = redeemedCodeId(entry)
    return codeId === null ? [] : [{ entryId: entry.id, codeId }]
  })
  const ends = await redeemCodes.endsOf(codes.map(({ codeId }) => codeId))
  return new Map(
    codes.flatMap(({ entryId, codeId }) => {
      const end = ends.get(codeId)
      return end === undefined ? [] : [[entryId, end] as const]
    }),
  )
}
