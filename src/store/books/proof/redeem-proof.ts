import type { TablesTransaction } from '../../engine/database.ts'
import type { Agreement } from '../agreement.ts'
import type { ProvenCode, StoredEntry } from '../reading.ts'
import { type Findings, usd } from './findings.ts'

/** Every redeemed code granted what it is for, once, and nothing was granted without one. */
export class RedeemProof {
  readonly #findings: Findings
  readonly #granted: Agreement

  constructor(findings: Findings) {
    this.#findings = findings
    this.#granted = findings.agreement(
      (name, { one, other }) => `redeem code ${name}: it granted ${usd(one[0])}, ledger entries say ${usd(other[0])}`,
    )
  }

  async readCodes(codes: readonly ProvenCode[], transaction: TablesTransaction): Promise<void> {
    const redeemed = codes.filter((code) => code.redeemed_at !== null)
    for (const { id, amount_nano, redeemed_by } of redeemed) {
      if (amount_nano !== null) this.#granted.one(`${id} for ${redeemed_by}`, amount_nano)
    }
    if (!this.#findings.isFirstReading) return
    const plans = redeemed.filter((code) => code.amount_nano === null)
    const sold = await subscriptionsOf(plans, transaction)
    for (const code of plans) {
      if (sold.has(saleName(code.redeemed_by, code.plan_id, code.redeemed_at))) continue
      this.#findings.say(
        `redeem code ${code.id} for ${code.redeemed_by}: there is no subscription to plan ${code.plan_id}`,
      )
    }
  }

  readEntry(entry: StoredEntry): void {
    if (entry.kind !== 'redeem') return
    const codeId = /^redeem:(.+)$/.exec(entry.once ?? '')?.[1]
    if (codeId !== undefined) this.#granted.other(`${codeId} for ${entry.account_id}`, entry.amount_nano)
    else this.#findings.say(`ledger entry ${entry.id}: it was redeemed, and names no redeem code`)
  }
}

/** Subscriptions that began when one of these codes was redeemed. */
async function subscriptionsOf(codes: readonly ProvenCode[], transaction: TablesTransaction): Promise<Set<string>> {
  const accountIds = codes.flatMap((code) => code.redeemed_by ?? [])
  if (accountIds.length === 0) return new Set()
  const rows = await transaction
    .selectFrom('subscriptions')
    .select(['account_id', 'plan_id', 'created_at'])
    .where('account_id', 'in', accountIds)
    .execute()
  return new Set(rows.map((row) => saleName(row.account_id, row.plan_id, row.created_at)))
}

function saleName(accountId: string | null, planId: string | null, atMs: number | null): string {
  return `${accountId} ${planId} ${atMs}`
}
