import type { RedeemCodeView } from '../../contract/billing.ts'
import { formatUsd } from '../../core/money.ts'
import type { RedeemCode } from '../../metering/funds/redeem-code.ts'
import { timeOnWire, timeOrNull } from '../api/wire-forms.ts'

/** A code as admins see it: never the code itself. `emails`: the addresses of accounts that redeemed one, by their ids. */
export function redeemCodeView(code: RedeemCode, emails: ReadonlyMap<string, string> = new Map()): RedeemCodeView {
  const { grants } = code
  return {
    id: code.id,
    code_start: code.codeStart,
    code_end: code.codeEnd,
    kind: grants.kind,
    amount: grants.kind === 'balance' ? formatUsd(grants.amount) : null,
    plan: grants.kind === 'plan' ? grants.planName : null,
    note: code.note,
    created_at: timeOnWire(code.createdAt),
    expires_at: timeOrNull(code.expiresAt),
    redeemed_at: timeOrNull(code.redeemedAt),
    redeemed_by: code.redeemedBy,
    redeemed_by_email: emails.get(code.redeemedBy ?? '') ?? null,
  }
}
