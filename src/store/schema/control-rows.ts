import type { ColumnType } from 'kysely'
import type { AccessToken } from '../../access/access-token.ts'
import type { Announcement } from '../../access/announcement.ts'
import type { AuditEntry } from '../../access/audit.ts'
import type { Guess } from '../../access/attempt-limiter.ts'
import type { Order, OrderRefund } from '../../metering/funds/order.ts'
import type { RowOf } from './row-of.ts'

export type AccessTokenRow = RowOf<AccessToken> & { secret_hash: string }
export type AnnouncementRow = RowOf<Announcement>
export type AuditRow = RowOf<AuditEntry>

/** `status` and `body` are there when the state is `answered`. */
export interface IdempotencyRow {
  actor: string
  name: string
  request_hash: string
  state: 'running' | 'answered' | 'unclear'
  status: number | null
  body: string | null
  created_at: number
}

export interface GuessRow {
  id: string
  about: Guess['about']
  asker: string
  guessed_at: number
}

/** Grants a balance (`amount_nano`) or a plan (`plan_json`, as it was sold). Prices are in the currency of the order. */
export type OrderRow = RowOf<Omit<Order, 'grants' | 'price'>> & {
  amount_nano: bigint | null
  plan_id: string | null
  plan_json: ColumnType<unknown, string | null, never>
  currency: string
  price_nano: bigint
}

export type OrderRefundRow = RowOf<OrderRefund> & {
  /** The payment was not known yet: nothing was taken for it so far. */
  is_waiting: boolean
}
