import type { AlertView } from '../../src/contract/administration.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { read } from './request.ts'

const SHOWN = 20

/** Recent alerts of the account. */
export const alertsQuery = read<Page<AlertView>>(['alerts'], '/api/alerts', { query: { limit: SHOWN } })

/** Whether it is about money, and not one that admins hear. */
export function hasAmounts({ kind }: AlertView): boolean {
  return kind === 'key_quota' || kind === 'subscription' || kind === 'low_balance'
}
