import type { LedgerDays } from '../../../../../src/contract/billing.ts'
import { nanoOf } from '../../../../format/decimal.ts'

export interface DayBalance {
  /** RFC 3339: when the day begins. */
  readonly at: string
  /** Nano-USD, when the day ended. */
  readonly balance: bigint
}

/** The balance at the end of each day on which it changed, the oldest first: walked back from what it is now. */
export function dayBalances(days: LedgerDays, balanceNow: string): readonly DayBalance[] {
  let balance = nanoOf(balanceNow)
  const walked: DayBalance[] = []
  for (const day of days.data) {
    walked.push({ at: day.at, balance })
    const given = day.entries.reduce((sum, { amount }) => sum + nanoOf(amount), 0n)
    balance += nanoOf(day.paid_by_balance) - given
  }
  return walked.toReversed()
}
