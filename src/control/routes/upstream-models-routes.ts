import { ignoredModels, ignoredModelsChange, upstreamModels } from '../../contract/upstream-models.ts'
import { notFound } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { comparedModels, ignoreModels, readIgnoredModels } from '../models/upstream-models.ts'
import type { ControlStores } from '../parts.ts'

const route = routesOf('Catalogue')

const compareModels = route('post /api/upstreams/{id}/models', {
  summary: 'Compare the models of an upstream with those served from it',
  description:
    'Asks it for its list of models, which costs nothing, and says which are new there, ignored, served, or gone. Returns 200 whatever the result.',
  who: 'catalogue',
  limits: { isReadOnly: true, asksAddress: true },
  answer: upstreamModels,
  async handle(call, { store, listUpstreamModels }) {
    const { id } = call.params
    await requireUpstream(store, id)
    const list = await listUpstreamModels(id)
    const [models, ignored] = await Promise.all([store.catalog.models(), readIgnoredModels(store.settings, id)])
    return comparedModels(list, { upstreamId: id, models, ignored })
  },
})

const changeIgnored = route('post /api/upstreams/{id}/ignored-models', {
  summary: 'Ignore models that an upstream lists, or offer them again',
  description: 'They are not offered as new for as long as the upstream is there. Those that are served stay served.',
  who: 'catalogue',
  body: ignoredModelsChange,
  answer: ignoredModels,
  example: { body: { models: ['gpt-3.5-turbo'], ignored: true } },
  async handle(call, { store }) {
    const { id } = call.params
    await requireUpstream(store, id)
    const { models: names, ignored: isIgnored } = call.body
    const { after } = await call.change(async (stores, audit) => {
      const both = await ignoreModels(stores, { upstreamId: id, names, isIgnored })
      const changed = names.filter((name) => both.before.includes(name) !== both.after.includes(name))
      if (changed.length > 0) {
        const [before, now] = isIgnored ? [null, changed] : [changed, null]
        const changes = { ignored_models: { before, after: now } }
        await audit({ action: 'upstream.ignore_models', subject: id, accountId: null, changes })
      }
      return both
    })
    return { models: [...after] }
  },
})

async function requireUpstream({ catalog }: Pick<ControlStores, 'catalog'>, id: string): Promise<void> {
  if (!(await catalog.upstreams()).some((each) => each.id === id)) throw notFound('upstream')
}

export const upstreamModelsRoutes: readonly ApiRoute[] = [compareModels, changeIgnored]
