import { setLimitsOnWire } from '../../contract/objects/account-limits.ts'
import type { Account } from '../../access/account.ts'
import type { Group } from '../../access/group.ts'
import { GROUP } from '../../contract/objects/group.ts'
import { fileEntryOf, writtenOf } from '../../contract/objects/object-fields.ts'
import { PLAN } from '../../contract/objects/plan.ts'
import { formatMultiplier } from '../../core/money.ts'
import type { Plan } from '../../metering/funds/plan.ts'

/** A group as the declarative file writes it. */
export function writtenGroup(group: Group) {
  return fileEntryOf(GROUP, writtenOf(GROUP, group))
}

/** A plan as the declarative file writes it; `nameOfGroup` puts names to the ids of groups. */
export function writtenPlan(plan: Plan, nameOfGroup: (id: string) => string) {
  return fileEntryOf(PLAN, writtenOf(PLAN, { ...plan, groupIds: plan.groupIds.map(nameOfGroup) }))
}

/** What the declarative file writes of an account's rights; its address, balance and subscriptions are written apart. */
export function writtenRights(
  { role, status, limits, openGroupIds, ownMultipliers }: Account,
  groups: readonly Group[],
) {
  const opens = groups.filter(({ id }) => openGroupIds?.includes(id) === true)
  const own = groups.flatMap(({ id, name }) => {
    const multiplier = ownMultipliers?.[id]
    return multiplier === undefined ? [] : [{ group: name, multiplier: formatMultiplier(multiplier) }]
  })
  return {
    role,
    status,
    ...limitsEntry(limits),
    ...(opens.length === 0 ? {} : { open_groups: opens.map(({ name }) => name) }),
    ...(own.length === 0 ? {} : { multipliers: own }),
  }
}

function limitsEntry(limits: Account['limits']) {
  const written = setLimitsOnWire(limits)
  return written === null ? {} : { limits: written }
}
