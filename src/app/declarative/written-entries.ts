import { setLimitsOnWire } from '../../access/account-limits-on-wire.ts'
import type { Account } from '../../access/account.ts'
import type { Group } from '../../access/group.ts'
import { formatMultiplier, formatUsd } from '../../core/money.ts'
import { writtenResponseCache } from '../../core/response-cache-rule.ts'
import type { Plan } from '../../metering/funds/plan.ts'

/** A group as the declarative file writes it. */
export function writtenGroup({ name, multiplier, models, isEnabled, isOpen, openRoles, cache }: Group) {
  return {
    name,
    multiplier: formatMultiplier(multiplier),
    models: [...models],
    enabled: isEnabled,
    open: isOpen,
    ...(openRoles === undefined ? {} : { open_to_roles: [...openRoles] }),
    ...(cache === undefined ? {} : { cache: writtenResponseCache(cache) }),
  }
}

/** A plan as the declarative file writes it; `nameOfGroup` puts names to the ids of groups. */
export function writtenPlan(
  { name, groupIds, opensGroups, days, price, quotas, limits }: Plan,
  nameOfGroup: (id: string) => string,
) {
  return {
    name,
    groups: groupIds.map(nameOfGroup),
    ...(opensGroups ? {} : { opens_groups: false }),
    days,
    price: formatUsd(price),
    quotas: quotas.map(({ window, usd }) => ({ window, usd: formatUsd(usd) })),
    ...limitsEntry(limits),
  }
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
