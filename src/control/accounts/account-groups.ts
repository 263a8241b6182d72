import type { Account } from '../../access/account.ts'
import type { Group } from '../../access/group.ts'
import { formatMultiplier, parseMultiplier } from '../../core/money.ts'
import { fieldProblem } from '../problem.ts'
import type { ControlStores } from '../parts.ts'

/** The ids of groups that are open to an account, in their order and each once. Throws Problem for what names none. */
export async function readOpenGroups(
  named: readonly string[],
  { groups }: Pick<ControlStores, 'groups'>,
): Promise<Pick<Account, 'openGroupIds'>> {
  const all = await groups.groups()
  const ids = named.map((each) => groupNamed(each, all, 'open_groups').id)
  return ids.length === 0 ? {} : { openGroupIds: [...new Set(ids)] }
}

/**
 * An account's own multipliers. Throws Problem for what names no group, or one twice, and for more than the group's own, unless
 * it stands so already: the group's may have been lowered since.
 */
export async function readMultipliers(
  sent: readonly { readonly group: string; readonly multiplier: string }[],
  accountId: string,
  { groups, accounts }: Pick<ControlStores, 'groups' | 'accounts'>,
): Promise<Pick<Account, 'ownMultipliers'>> {
  const [all, standing] = await Promise.all([groups.groups(), accounts.ownMultipliers([accountId])])
  const own = sent.map(({ group: name, multiplier }) => {
    const group = groupNamed(name, all, 'multipliers')
    const ppm = parseMultiplier(multiplier)
    if (ppm <= group.multiplier || standing.get(accountId)?.[group.id] === ppm) return [group.id, ppm] as const
    throw fieldProblem(
      'multipliers',
      `multipliers has ${multiplier} for ${group.name}, whose own multiplier is ${formatMultiplier(group.multiplier)}: an account’s own can only be lower.`,
    )
  })
  if (new Set(own.map(([id]) => id)).size < own.length) {
    throw fieldProblem('multipliers', 'multipliers must name each group once.')
  }
  return own.length === 0 ? {} : { ownMultipliers: Object.fromEntries(own) }
}

/** The ids of groups that are named, each once. `field`: where the names stand in the body. Throws Problem for what names none. */
export function groupIdsOf(
  names: readonly string[],
  groups: readonly Pick<Group, 'id' | 'name'>[],
  field: string,
): readonly string[] {
  const idByName = new Map(groups.map(({ id, name }) => [name, id]))
  const ids = names.map((name, index) => {
    const id = idByName.get(name)
    if (id !== undefined) return id
    throw fieldProblem(`${field}.${index}`, `${field}.${index} must name a group that exists: add the group first.`)
  })
  return [...new Set(ids)]
}

function groupNamed(named: string, all: readonly Group[], field: string): Group {
  const group = all.find(({ id, name }) => name === named || id === named)
  if (group !== undefined) return group
  throw fieldProblem(field, `${field} must name groups that exist: see GET /api/groups.`)
}
