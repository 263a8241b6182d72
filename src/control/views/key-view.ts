import type { ApiKeyView } from '../../contract/keys.ts'
import type { ApiKey } from '../../access/api-key.ts'
import { captureAt } from '../../access/capture.ts'
import type { ListedKey } from '../../access/key-list.ts'
import type { OwnMultipliers } from '../../access/account.ts'
import { chargedTo, type Group, groupNames } from '../../access/group.ts'
import { formatMultiplier, formatUsd, ONE_PPM, ZERO_NANO_USD } from '../../core/money.ts'
import { quotaBudgetOf } from '../../entitlement/funding.ts'
import { shownStatus } from '../../entitlement/key-status.ts'
import { settingsOnWire } from '../../access/key-settings.ts'
import type { ControlStores } from '../parts.ts'
import { versionOf } from '../api/version.ts'
import { timeOnWire, timeOrNull } from '../api/wire-forms.ts'

/** One key as the API shows it, with what it used. */
export async function readKeyView(
  key: ApiKey,
  store: Pick<ControlStores, 'keys' | 'budgets' | 'groups' | 'accounts'>,
  nowMs: number,
): Promise<ApiKeyView> {
  const budget = quotaBudgetOf(key, nowMs)
  const [groups, own, activity, [quota]] = await Promise.all([
    store.groups.groups(),
    store.accounts.ownMultipliers([key.accountId]),
    store.keys.activityOf(key),
    store.budgets.states(budget === null ? [] : [budget], nowMs),
  ])
  const { lastUsedAt, spent: spentEver } = activity
  const spentInPeriod = budget === null ? null : (quota?.used ?? ZERO_NANO_USD)
  const status = shownStatus(key, quota ?? null, nowMs)
  const periodEndsAt = budget?.endsAt ?? null
  const listed = { key, status, spentInPeriod, periodEndsAt, spentEver, lastUsedAt }
  return keyOnWire(listed, { groups, own }, nowMs)
}

/** Groups, and the multipliers of accounts that have their own. */
interface Charging {
  readonly groups: readonly Group[]
  readonly own: ReadonlyMap<string, OwnMultipliers>
}

/** A key of a list. */
export function keyOnWire(listed: ListedKey, { groups, own }: Charging, nowMs: number): ApiKeyView {
  const { key } = listed
  const ownMultipliers = own.get(key.accountId)
  const account = ownMultipliers === undefined ? null : { ownMultipliers }
  const group = groups.find(({ id }) => id === key.groupId)
  return {
    id: key.id,
    version: versionOf(keySettings(key, groups)),
    account_id: key.accountId,
    ...settingsOnWire(key, groupNames(groups)),
    status: listed.status,
    secret_start: key.secretStart,
    secret_end: key.secretEnd,
    created_at: timeOnWire(key.createdAt),
    last_used_at: timeOrNull(listed.lastUsedAt),
    spent: formatUsd(listed.spentInPeriod ?? listed.spentEver),
    quota_resets_at: timeOrNull(listed.periodEndsAt),
    managed: key.isManaged,
    playground: key.isForPlayground === true,
    group_multiplier: formatMultiplier(group === undefined ? ONE_PPM : chargedTo(group, { account }).multiplier),
    group_enabled: group?.isEnabled ?? false,
    overlap: overlapOnWire(key, nowMs),
    captured_until: timeOrNull(captureAt(key, nowMs)?.endsAt ?? null),
    quota_raise: raiseOnWire(key),
  }
}

/** What can be set on a key, as it is written. */
export function keySettings(key: ApiKey, groups: readonly Group[]) {
  return { ...settingsOnWire(key, groupNames(groups)), status: key.status }
}

/** A key with what admins give for a while, as it is audited. */
export function auditedKey(key: ApiKey, groups: readonly Group[]) {
  return { ...keySettings(key, groups), quota_raise: raiseOnWire(key) }
}

function raiseOnWire({ quotaRaise }: ApiKey): ApiKeyView['quota_raise'] {
  if (quotaRaise === undefined) return null
  return { limit: formatUsd(quotaRaise.from), ends_at: timeOnWire(quotaRaise.endsAt) }
}

function overlapOnWire({ overlap }: ApiKey, nowMs: number): ApiKeyView['overlap'] {
  if (overlap === null || nowMs >= overlap.endsAt) return null
  return {
    secret_end: overlap.secretEnd,
    ends_at: timeOnWire(overlap.endsAt),
    last_used_at: timeOrNull(overlap.lastUsedAt),
  }
}
