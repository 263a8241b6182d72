import type { ApiKey } from '../../access/api-key.ts'
import { changesBetween } from '../../access/audit.ts'
import { groupNames } from '../../access/group.ts'
import { groupKeysMoved, groupMoveKeys, groupsUse } from '../../contract/groups.ts'
import { formatMultiplier, formatUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { fieldProblem, notFound } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { timeOnWire } from '../api/wire-forms.ts'

const route = routesOf('Catalogue')

const WEEK_MS = 7 * 86_400_000
/** Each in a transaction of its own; as many as a bulk change of keys takes. */
const MOVED_AT_ONCE = 200

const readUse = route('get /api/groups/use', {
  summary: 'Read how many keys use each group, and what it was charged in seven days',
  description:
    'Of every group, also those without a key. Charges are of at most the 500 groups that cost most; of accounts with own multipliers, at most 1,000 are looked at.',
  who: 'staff',
  answer: groupsUse,
  async handle(call, { store }) {
    const span = { fromMs: call.nowMs - WEEK_MS, toMs: call.nowMs }
    const [groups, counts, sums, own] = await Promise.all([
      store.groups.groups(),
      store.groups.keyCounts(),
      store.usage.margins({ ...span, split: 'group' }),
      store.usage.ownMultiplierCharges(span.fromMs),
    ])
    const ownByGroup = Map.groupBy(own, ({ groupId }) => groupId)
    const charges = new Map(sums.rows.map((row) => [row.id, row]))
    const data = groups.map(({ id }) => {
      const { keys, accounts, fallbackKeys } = counts.get(id) ?? { keys: 0, accounts: 0, fallbackKeys: 0 }
      const { requests, charged } = charges.get(id) ?? { requests: 0, charged: ZERO_NANO_USD }
      return {
        id,
        keys,
        accounts,
        fallback_keys: fallbackKeys,
        requests,
        charged: formatUsd(charged),
        own_multipliers: (ownByGroup.get(id) ?? []).map((each) => ({
          multiplier: formatMultiplier(each.multiplier),
          charged: formatUsd(each.charged),
        })),
      }
    })
    return { from: timeOnWire(sums.fromMs), to: timeOnWire(sums.toMs), data }
  },
})

const moveKeys = route('post /api/groups/{id}/move-keys', {
  summary: 'Move the keys of a group to another',
  description: `Keys that are in the group, and keys that fall back to it, oldest first and ${MOVED_AT_ONCE} at a time: call again while some remain. Holds on every running gateway once this has answered. Whether their owners may use the other group is not asked.`,
  who: 'catalogue',
  body: groupMoveKeys,
  answer: groupKeysMoved,
  example: { body: { to: 'default' } },
  async handle(call, { store }) {
    const groups = await store.groups.groups()
    const from = groups.find(({ id }) => id === call.params.id)
    if (from === undefined) throw notFound('group')
    const to = groups.find(({ name }) => name === call.body.to)
    if (to === undefined) throw fieldProblem('to', 'to must name a group that exists: see GET /api/groups.')
    if (to.id === from.id) throw fieldProblem('to', 'to must be a different group.')
    const nameOf = groupNames(groups)
    const named = ({ groupId, fallbackGroupIds }: ApiKey) => {
      return { group: nameOf(groupId), fallback_groups: fallbackGroupIds.map(nameOf) }
    }
    const { ids } = await store.groups.movableKeys(from.id, MOVED_AT_ONCE)
    let latest: { readonly seq: number | null } | null = null
    let moved = 0
    for (const id of ids) {
      const edited = await call.change(async ({ keys }, audit) => {
        const answer = await keys.edit(id, (key) => movedKey(key, { from: from.id, to: to.id }), call.nowMs)
        // It was deleted or moved meanwhile.
        if (answer === null || answer.seq === null) return null
        const { before, after } = answer
        const changes = changesBetween(named(before), named(after))
        await audit({ action: 'key.update', subject: id, accountId: after.accountId, changes })
        return answer
      })
      if (edited === null) continue
      latest = edited
      moved += 1
    }
    await call.reachNodes(latest)
    const left = await store.groups.movableKeys(from.id, 0)
    return { moved, remaining: left.movable, managed: left.managed }
  },
})

/** Paths without a parameter come first: the first that fits serves. */
export const groupKeysRoutes: readonly ApiRoute[] = [readUse, moveKeys]

/** The key in the other group wherever it was in the one, each group named once. */
function movedKey(key: ApiKey, { from, to }: { readonly from: string; readonly to: string }): ApiKey {
  const groupId = key.groupId === from ? to : key.groupId
  const fallbacks = key.fallbackGroupIds.map((id) => (id === from ? to : id))
  return { ...key, groupId, fallbackGroupIds: [...new Set(fallbacks)].filter((id) => id !== groupId) }
}
