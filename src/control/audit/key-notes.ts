/** What the audit says of changes of API keys, whichever way they are made. */
import type { ApiKey, KeyStatus, NewKey } from '../../access/api-key.ts'
import { type AuditNote, changesBetween } from '../../access/audit.ts'
import { type Group, groupNames } from '../../access/group.ts'
import { settingsOnWire } from '../../access/key-settings.ts'
import { auditedKey } from '../views/key-view.ts'

/** `isCustom`: its secret was chosen by someone. `isDisabled`: it is not active from the beginning. */
export function keyCreated(
  key: NewKey,
  {
    groups,
    isCustom,
    isDisabled = false,
  }: { readonly groups: readonly Group[]; readonly isCustom: boolean; readonly isDisabled?: boolean },
): AuditNote {
  const status = isDisabled ? { status: 'disabled' } : {}
  const settings = { ...settingsOnWire(key, groupNames(groups)), custom_key: isCustom, ...status }
  return { action: 'key.create', subject: key.id, accountId: key.accountId, changes: changesBetween({}, settings) }
}

export function keyUpdated(before: ApiKey, after: ApiKey, groups: readonly Group[]): AuditNote {
  const changes = changesBetween(auditedKey(before, groups), auditedKey(after, groups))
  return { action: 'key.update', subject: after.id, accountId: after.accountId, changes }
}

const VERBS = { active: 'enable', disabled: 'disable', deleted: 'delete' } as const satisfies Record<KeyStatus, string>

/** A step that changes nothing but whether it works. */
export function keyStatusSet({ id, accountId, status: before }: ApiKey, status: KeyStatus): AuditNote {
  const changes = changesBetween({ status: before }, { status })
  return { action: `key.${VERBS[status]}`, subject: id, accountId, changes }
}

export function keyDeleted(key: ApiKey, groups: readonly Group[]): AuditNote {
  const changes = changesBetween(auditedKey(key, groups), {})
  return { action: 'key.delete', subject: key.id, accountId: key.accountId, changes }
}
