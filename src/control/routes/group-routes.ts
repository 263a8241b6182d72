import { type Group, groupNames } from '../../access/group.ts'
import { group, groupCreate, groupKeysMoved, groupMoveKeys, groupPatch, groupsUse } from '../../contract/groups.ts'
import { GROUP } from '../../contract/objects/group.ts'
import { objectOf, readChanged, readNew } from '../../contract/objects/object-fields.ts'
import { namedQuery, pageOf } from '../../contract/wire-values.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { WEEK_MS } from '../../core/durations.ts'
import { formatMultiplier, formatUsd, type PartsPerMillion, ZERO_NANO_USD } from '../../core/money.ts'
import { readResponseCache } from '../../core/response-cache-rule.ts'
import { DEAREST_PRICE, dearestBeyondBound, isChargeableMultiplier } from '../../metering/prices/price-bounds.ts'
import { type ListedCatalogue, maySee, readCatalogue } from '../catalogue.ts'
import type { ChangeableStores } from '../changeable-stores.ts'
import { namedPage } from '../api/paging.ts'
import { existing, fieldProblem, notFound } from '../problem.ts'
import { listFiles } from '../api/list-files.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { groupNote } from '../audit/catalogue-notes.ts'
import { changedAdminSettings } from '../audit/claude-settings-changes.ts'
import { addObject, deleteObject, editObject } from '../api/stored-changes.ts'
import { type Actor, requireRight } from '../who/actor.ts'
import { viewerOf } from '../who/viewer.ts'
import { groupSettings, groupView } from '../views/group-view.ts'
import type { ApiKey } from '../../access/api-key.ts'
import { changesBetween } from '../../access/audit.ts'
import { timeOnWire } from '../api/wire-forms.ts'

const route = routesOf('Catalogue')

/** Each in a transaction of its own; as many as a bulk change of keys takes. */
const MOVED_AT_ONCE = 200
/** So much of a name is repeated in a message. */
const NAMED_CHARACTERS = 60

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
    const from = existing(
      groups.find(({ id }) => id === call.params.id),
      'group',
    )
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

const listGroups = route('get /api/groups', {
  summary: 'List the groups that you may use',
  description:
    'Those that are open to you, by themselves or by a subscription, and those that keys of yours are in. Admins see all.',
  who: 'account',
  query: namedQuery,
  answer: pageOf(group),
  async handle(call, { store }) {
    const [catalogue, viewer] = await Promise.all([readCatalogue(store), viewerOf(call.actor, store, call.nowMs)])
    const page = namedPage(
      catalogue.groups.filter((each) => maySee(each, viewer)),
      call,
    )
    return { data: page.rows.map((each) => groupView(each, catalogue, viewer)), next_cursor: page.next_cursor }
  },
})

const readGroup = route('get /api/groups/{id}', {
  summary: 'Read a group',
  who: 'account',
  answer: group,
  async handle(call, { store }) {
    const [catalogue, viewer] = await Promise.all([readCatalogue(store), viewerOf(call.actor, store, call.nowMs)])
    const found = catalogue.groups.find(({ id }) => id === call.params.id)
    if (found === undefined || !maySee(found, viewer)) throw notFound('group')
    return groupView(found, catalogue, viewer)
  },
})

const createGroup = route('post /api/groups', {
  summary: 'Add a group',
  who: 'catalogue',
  body: groupCreate,
  answer: group,
  status: 201,
  problems: ['name_taken', 'admin_needed'],
  example: { body: { name: 'pro', multiplier: '0.8', models: ['*'] } },
  async handle(call, { store, newId }) {
    const { body } = call
    const catalogue = await readCatalogue(store)
    const read = readNew(GROUP, body)
    const models = readModels(read.models, { catalogue, before: [] })
    const cache = body.cache && readResponseCache(body.cache, call.nowMs)
    const made: Group = { id: newId('grp'), ...objectOf(GROUP, { ...read, models, cache }), isManaged: false }
    requireChargeable(made, catalogue)
    requireMaySet(call.actor, null, made)
    await addObject(call, 'group', { add: ({ groups }) => groups.addGroup(made), note: groupNote(null, made) })
    return groupView(made, catalogue, await viewerOf(call.actor, store, call.nowMs))
  },
})

const changeGroup = route('patch /api/groups/{id}', {
  summary: 'Change a group',
  description:
    'Once this returns, it holds on every running gateway. Past charges stay as they were. With "cache" in the request no answer that was kept before is given again, also where the rule is the same.',
  who: 'catalogue',
  body: groupPatch,
  answer: group,
  problems: ['name_taken', 'managed', 'admin_needed'],
  async handle(call, { store }) {
    const { body } = call
    const catalogue = await readCatalogue(store)
    const patched = (before: Group): Group => {
      const read = readChanged(GROUP, body, before)
      const models =
        body.models === undefined ? before.models : readModels(read.models, { catalogue, before: before.models })
      const cache = body.cache == null ? read.cache : readResponseCache(body.cache, call.nowMs)
      const { id, isManaged } = before
      const after: Group = { id, ...objectOf(GROUP, { ...read, models, cache }), isManaged }
      requireChargeable(after, catalogue)
      requireMaySet(call.actor, before, after)
      call.requireVersion({ before: groupSettings(before), after: groupSettings(after) })
      return after
    }
    const edit = ({ groups }: ChangeableStores) => groups.editGroup(call.params.id, patched)
    const after = await editObject(call, 'group', { edit, noteOf: groupNote })
    return groupView(after, catalogue, await viewerOf(call.actor, store, call.nowMs))
  },
})

const deleteGroup = route('delete /api/groups/{id}', {
  summary: 'Delete a group that nothing uses',
  description:
    'Refused while API keys, plans, subscriptions that are not over or targets of models need it. Usage records keep its name.',
  who: 'catalogue',
  problems: ['in_use', 'managed'],
  handle: (call) =>
    deleteObject(call, 'group', {
      delete: ({ groups }) => groups.deleteGroup(call.params.id, call.nowMs),
      settingsOf: groupSettings,
    }),
})

export const groupRoutes: readonly ApiRoute[] = [
  readUse,
  moveKeys,
  listGroups,
  ...listFiles(listGroups, { name: 'groups' }),
  readGroup,
  createGroup,
  changeGroup,
  deleteGroup,
]

/** The names in order, each once. A name that stands for nothing is refused, unless it stood there before. */
function readModels(
  names: readonly string[],
  { catalogue, before }: { catalogue: ListedCatalogue; before: readonly string[] },
): readonly string[] {
  const known = new Set(['*', ...before, ...catalogue.models.map(({ name }) => name)])
  const index = names.findIndex((name) => !known.has(name))
  if (index < 0) return names.includes('*') ? ['*'] : [...new Set(names)]
  throw fieldProblem(
    `models.${index}`,
    `models.${index} must name a model that exists: add the model first, or write "*" for all.`,
  )
}

function requireChargeable(
  { multiplier, models }: { multiplier: PartsPerMillion; models: readonly string[] },
  catalogue: ListedCatalogue,
): void {
  if (!isChargeableMultiplier(multiplier)) {
    throw fieldProblem('multiplier', `multiplier must be at most ${formatMultiplier(BOUNDS.group.multiplier.most)}.`)
  }
  const served = catalogue.models.filter(({ name }) => models.includes('*') || models.includes(name))
  const tooDear = dearestBeyondBound(multiplier, served)
  if (tooDear === null) return
  throw fieldProblem(
    'multiplier',
    `multiplier makes a million tokens of "${tooDear.name}" cost $${formatUsd(tooDear.price)}, where $${formatUsd(DEAREST_PRICE)} is the most: lower it, or the model's price.`,
  )
}

/** What may run something on people’s computers is for admins. Throws Problem. */
function requireMaySet(actor: Actor, before: Group | null, after: Group): void {
  const [path] = changedAdminSettings(before?.claudeSettings, after.claudeSettings)
  if (path === undefined) return
  const detail = `Only admins may change "${path.slice(0, NAMED_CHARACTERS)}" in claude_settings: it is not known to be harmless on the computers of those who get it. Leave it as it is, or ask an admin.`
  requireRight(actor, 'admin', { detail, field: 'claude_settings' })
}

/** The key in the other group wherever it was in the one, each group named once. */
function movedKey(key: ApiKey, { from, to }: { readonly from: string; readonly to: string }): ApiKey {
  const groupId = key.groupId === from ? to : key.groupId
  const fallbacks = key.fallbackGroupIds.map((id) => (id === from ? to : id))
  return { ...key, groupId, fallbackGroupIds: [...new Set(fallbacks)].filter((id) => id !== groupId) }
}
