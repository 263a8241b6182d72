import type { Group } from '../../access/group.ts'
import { group, groupCreate, groupPatch } from '../../contract/groups.ts'
import { GROUP } from '../../contract/objects/group.ts'
import { objectOf, readChanged, readNew } from '../../contract/objects/object-fields.ts'
import { namedQuery, pageOf } from '../../contract/wire-values.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { formatMultiplier, formatUsd, type PartsPerMillion } from '../../core/money.ts'
import { readResponseCache } from '../../core/response-cache-rule.ts'
import { DEAREST_PRICE, dearestBeyondBound, isChargeableMultiplier } from '../../metering/prices/price-bounds.ts'
import { type ListedCatalogue, maySee, readCatalogue } from '../catalogue.ts'
import type { ChangeableStores } from '../changeable-stores.ts'
import { namedPage } from '../api/named-page.ts'
import { fieldProblem, notFound } from '../problem.ts'
import { listFiles } from '../api/list-files.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { groupNote } from '../audit/catalogue-notes.ts'
import { addObject, deleteObject, editObject } from '../api/stored-changes.ts'
import { viewerOf } from '../who/viewer.ts'
import { groupSettings, groupView } from '../views/group-view.ts'

const route = routesOf('Catalogue')

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
  problems: ['name_taken'],
  example: { body: { name: 'pro', multiplier: '0.8', models: ['*'] } },
  async handle(call, { store, newId }) {
    const { body } = call
    const catalogue = await readCatalogue(store)
    const read = readNew(GROUP, body)
    const models = readModels(read.models, { catalogue, before: [] })
    const cache = body.cache && readResponseCache(body.cache, call.nowMs)
    const made: Group = { id: newId('grp'), ...objectOf(GROUP, { ...read, models, cache }), isManaged: false }
    requireChargeable(made, catalogue)
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
  problems: ['name_taken', 'managed'],
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
