import type { Selectable } from 'kysely'
import type { ApiKey, SecretOverlap } from '../../access/api-key.ts'
import { withStandingRaise } from '../../access/quota-raise.ts'
import { type ApiKeyRow, settingsOf } from '../schema/key-columns.ts'
import { quotaRaiseIn } from '../schema/quota-raise-columns.ts'
import { captureOfKey } from './capture-rows.ts'

/** The key of a row. */
export function keyOf(row: Selectable<ApiKeyRow>): ApiKey {
  return withStandingRaise({
    ...settingsOf(row),
    id: row.id,
    accountId: row.account_id,
    status: row.status,
    statusChangedAt: row.status_changed_at,
    secretStart: row.secret_start,
    secretEnd: row.secret_end,
    overlap: overlapOf(row),
    createdAt: row.created_at,
    isManaged: row.is_managed,
    ...(row.is_for_playground ? { isForPlayground: true } : {}),
    ...(row.device_epoch === null ? {} : { device: { epoch: row.device_epoch } }),
    ...captureOfKey(row),
    ...quotaRaiseIn(row),
  })
}

function overlapOf(row: Selectable<ApiKeyRow>): SecretOverlap | null {
  const { previous_secret_end: secretEnd, previous_ends_at: endsAt } = row
  return secretEnd === null || endsAt === null ? null : { secretEnd, endsAt, lastUsedAt: row.previous_last_used_at }
}
