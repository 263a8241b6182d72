import type { LedgerEntryView } from '../../contract/billing.ts'
import { formatUsd } from '../../core/money.ts'
import type { LedgerEntry } from '../../metering/funds/ledger.ts'
import type { RequestSubject } from '../../metering/usage/usage-store.ts'
import { timeOnWire } from '../api/wire-forms.ts'

/** An entry; which admin or program made it is shown to admins alone. `subject`: of the request that it charges. */
export function ledgerEntryView(
  entry: LedgerEntry,
  { isStaff, subject }: { readonly isStaff: boolean; readonly subject?: RequestSubject | undefined },
): LedgerEntryView {
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
  }
}

/** What acts by itself is named; all others are the owner or an admin. */
function shownActor({ actor, accountId }: LedgerEntry): string {
  if (actor === accountId) return 'you'
  return PROGRAMS.includes(actor) ? actor : 'an admin'
}

const PROGRAMS = ['gateway', 'config', 'cli', 'payment']
