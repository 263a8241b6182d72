import type { z } from '@hono/zod-openapi'
import type { ApiKey } from '../../access/api-key.ts'
import { model, modelCreate, modelPatch, modelTraffic } from '../../contract/models.ts'
import { MODEL } from '../../contract/objects/model.ts'
import { objectOf, readChanged, readNew } from '../../contract/objects/object-fields.ts'
import { namedQuery, pageOf } from '../../contract/wire-values.ts'
import { type Model, withScheduled } from '../../routing/catalog.ts'
import { ownAccount, requireRight } from '../who/actor.ts'
import { isAvailableIn } from '../../entitlement/catalogue.ts'
import { type ListedCatalogue, mayUse, readCatalogue, type Viewer } from '../catalogue.ts'
import { modelEditNote, plannedIn } from '../models/scheduled-price.ts'
import { lastPriceChanges } from '../models/price-changes.ts'
import { readPrices, readTargets, requireChargeableModel, requireUsableTargets } from '../models/model-settings.ts'
import { namedPage } from '../api/paging.ts'
import type { ControlStores } from '../parts.ts'
import { existing, notFound } from '../problem.ts'
import { listFiles } from '../api/list-files.ts'
import { type ApiRoute, routesOf, type ViewerCall } from '../api/route.ts'
import { modelNote } from '../audit/catalogue-notes.ts'
import { addObject, deleteObject, editObject } from '../api/stored-changes.ts'
import { viewerOf } from '../who/viewer.ts'
import { modelTrafficView } from '../views/model-traffic-view.ts'
import { modelSettings, modelView, type PriceChanges } from '../views/model-view.ts'
import { modelFacts } from '../../contract/model-facts.ts'
import { modelFactsView } from '../views/model-facts-view.ts'

const route = routesOf('Catalogue')

const listModels = route('get /api/models', {
  summary: 'List the models that you may use, with what they cost',
  description: 'Those that can be served now in a group that you may use. Admins see all, with their targets.',
  who: 'account',
  query: namedQuery,
  answer: pageOf(model),
  async handle(call, { store }) {
    const { catalogue, viewer, keys } = await readFor(call, store)
    const shown = catalogue.models.filter((each) => maySeeModel(each, catalogue, viewer))
    const page = namedPage(shown, call)
    const priceChanges = await priceChangesFor(viewer, page.rows, store)
    const how = { viewer, keys, keysShown: KEYS_IN_LISTS, priceChanges }
    return { data: page.rows.map((each) => modelView(each, catalogue, how)), next_cursor: page.next_cursor }
  },
})

const readTraffic = route('get /api/models/traffic', {
  summary: 'Read how much you use each model, and how well it answers',
  description:
    'Of every model that you may see: your own requests of the last 30 days, and how its upstreams answered in the last 24 hours. From the roll-ups: it costs the same for any past.',
  who: 'account',
  answer: modelTraffic,
  problems: ['account_needed'],
  async handle(call, { store }) {
    const { id } = ownAccount(call.actor)
    const [catalogue, viewer, own, answers] = await Promise.all([
      readCatalogue(store),
      viewerOf(call.actor, store, call.nowMs),
      store.usage.totalsByModel(id, call.nowMs - USE_COUNTS_MS),
      store.usage.answersByModel(call.nowMs - ANSWERS_COUNT_MS),
    ])
    const seen = catalogue.models.filter((each) => maySeeModel(each, catalogue, viewer))
    return modelTrafficView(
      seen.map(({ name }) => name),
      { own, answers },
    )
  },
})

const readModel = route('get /api/models/{id}', {
  summary: 'Read a model',
  who: 'account',
  answer: model,
  async handle(call, { store }) {
    const { catalogue, viewer, keys } = await readFor(call, store)
    const found = catalogue.models.find(({ id }) => id === call.params.id)
    if (found === undefined || !maySeeModel(found, catalogue, viewer)) throw notFound('model')
    const [priceChanges, learned] = await ofOne(viewer, found, store)
    return modelView(found, catalogue, { viewer, keys, keysShown: KEYS_OF_ONE, priceChanges, learned })
  },
})

const createModel = route('post /api/models', {
  summary: 'Add a model',
  description: 'Without a price it is not served. Its targets name existing upstreams.',
  who: 'catalogue',
  body: modelCreate,
  answer: model,
  status: 201,
  problems: ['name_taken'],
  example: {
    body: {
      name: 'gpt-5.5',
      price: { input: '2.50', output: '10' },
      targets: [{ upstream: 'openai-main', model: 'gpt-5.5' }],
    },
  },
  async handle(call, { store, newId }) {
    const { body } = call
    const catalogue = await readCatalogue(store)
    const made: Model = {
      id: newId('mdl'),
      ...objectOf(MODEL, readNew(MODEL, body)),
      prices: readPrices(body.price),
      targets: readTargets(body.targets, { catalogue, before: [] }),
      createdAt: call.nowMs,
      isManaged: false,
    }
    requireChargeableModel(made, catalogue)
    requireUsableTargets(made, null, catalogue)
    const note = modelNote(null, made, catalogue)
    await addObject(call, 'model', { add: ({ catalog }) => catalog.addModel(made), note })
    return viewAfter(made, call, store)
  },
})

const changeModel = route('patch /api/models/{id}', {
  summary: 'Change a model',
  description:
    'Holds on every running gateway once this has answered. Requests that run are charged at the price they began with. Its name is what clients send, and stays. The role finance may change its price, and lock it against imports, and nothing else. Edits that name one `import_id` are an import: the audit has each as `model.import`, so that it can be taken back. With `effective_at` the price, and the limits sent with it, are set at that time instead of now; a model has one such change at most, and the next one takes the former one’s place.',
  who: 'prices',
  body: modelPatch,
  answer: model,
  problems: ['managed'],
  async handle(call, { store }) {
    const beyondPrice = Object.keys(call.body).find((field) => !OF_PRICES.includes(field))
    if (beyondPrice !== undefined) {
      requireRight(call.actor, 'catalogue', {
        detail: `Your role may change no more than "price" and "price_locked".`,
        field: beyondPrice,
      })
    }
    const planned = plannedIn(call.body, call)
    const catalogue = await readCatalogue(store)
    const chargeable = (before: Model): Model => {
      const after = planned === null ? patched(before, call.body, catalogue) : { ...before, scheduled: planned }
      requireChargeableModel(planned === null ? after : withScheduled(after), catalogue)
      requireUsableTargets(after, before, catalogue)
      call.requireVersion({ before: modelSettings(before, catalogue), after: modelSettings(after, catalogue) })
      return after
    }
    const after = await editObject(call, 'model', {
      edit: ({ catalog }) => catalog.editModel(call.params.id, chargeable),
      noteOf(before, now) {
        const note = modelNote(before, now, catalogue)
        return { ...note, ...modelEditNote(note.changes, call.body) }
      },
    })
    return viewAfter(after, call, store)
  },
})

const deleteModel = route('delete /api/models/{id}', {
  summary: 'Delete a model',
  description: 'Takes it off the lists of groups, too. Usage records keep its name.',
  who: 'catalogue',
  problems: ['in_use', 'managed'],
  async handle(call, { store }) {
    const catalogue = await readCatalogue(store)
    await deleteObject(call, 'model', {
      delete: ({ catalog }) => catalog.deleteModel(call.params.id),
      settingsOf: (before) => modelSettings(before, catalogue),
    })
  },
})

const readFacts = route('get /api/models/{id}/facts', {
  summary: 'Read what a model takes at each of its targets',
  description:
    'Every fact that the gateway goes by when it writes requests for the model: the value that this version has for it with its source, the rules of the model and the target, and which of these is in force. Rules are set by `rules` of the model and of its targets.',
  who: 'staff',
  answer: modelFacts,
  async handle(call, { store }) {
    const catalogue = await readCatalogue(store)
    const found = existing(
      catalogue.models.find(({ id }) => id === call.params.id),
      'model',
    )
    return modelFactsView(found, catalogue)
  },
})

/** Paths without a parameter come first: the first that fits serves. */
export const modelRoutes: readonly ApiRoute[] = [
  listModels,
  ...listFiles(listModels, { name: 'models' }),
  readTraffic,
  readModel,
  createModel,
  changeModel,
  deleteModel,
  readFacts,
]

const USE_COUNTS_MS = 30 * 86_400_000
const ANSWERS_COUNT_MS = 86_400_000
const KEYS_IN_LISTS = 10
const KEYS_OF_ONE = 50
/** Older keys of an account with more are not looked at. */
const NEWEST_KEYS = 200

async function readFor({ actor, nowMs }: ViewerCall, store: ControlStores) {
  const [catalogue, viewer, keys] = await Promise.all([
    readCatalogue(store),
    viewerOf(actor, store, nowMs),
    actor.kind === 'admin_token' ? [] : store.keys.list({ accountId: actor.account.id, limit: NEWEST_KEYS }),
  ])
  return {
    catalogue,
    viewer,
    keys: keys.filter(({ isForPlayground }) => isForPlayground !== true) satisfies readonly ApiKey[],
  }
}

async function viewAfter(changed: Model, call: ViewerCall, store: ControlStores) {
  const { catalogue, viewer, keys } = await readFor(call, store)
  const [priceChanges, learned] = await ofOne(viewer, changed, store)
  return modelView(changed, catalogue, { viewer, keys, keysShown: KEYS_OF_ONE, priceChanges, learned })
}

/** What is read for the page of one model alone; what its targets refuse is for staff. */
function ofOne(viewer: Viewer, shown: Model, store: ControlStores) {
  return Promise.all([priceChangesFor(viewer, [shown], store), viewer.isStaff ? store.catalog.refusalNotes() : null])
}

/** The last price changes, for who may read the audit; others cost no query. */
async function priceChangesFor(
  { isStaff }: Viewer,
  models: readonly Model[],
  store: ControlStores,
): Promise<PriceChanges> {
  return isStaff ? lastPriceChanges(store.audit, models) : new Map()
}

function maySeeModel(each: Model, catalogue: ListedCatalogue, viewer: Viewer): boolean {
  if (viewer.isStaff) return true
  return catalogue.groups.some((group) => isAvailableIn(group, each, catalogue) && mayUse(group, viewer))
}

/** What the right to set prices is for. */
const OF_PRICES: readonly string[] = [
  'price',
  'price_locked',
  'import_id',
  'import_source',
  'effective_at',
  'scheduled',
]

/** The model with a request's changes. */
function patched(stored: Model, body: z.output<typeof modelPatch>, catalogue: ListedCatalogue): Model {
  const { id, name, scheduled, prices, targets, createdAt, isManaged } = stored
  return {
    ...objectOf(MODEL, readChanged(MODEL, { ...body, name }, stored)),
    ...(scheduled === undefined || body.scheduled === null ? {} : { scheduled }),
    id,
    prices: body.price === undefined ? prices : readPrices(body.price),
    targets: body.targets === undefined ? targets : readTargets(body.targets, { catalogue, before: targets }),
    createdAt,
    isManaged,
  }
}
