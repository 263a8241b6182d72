import { keyCheckAsked, keyChecked, publicModels, publicStatus } from '../../contract/public-pages.ts'
import { PUBLIC_MODELS_LIMIT } from '../../core/limits.ts'
import { publicModels as modelsForAll } from '../../entitlement/callable-models.ts'
import { kindOf } from '../../routing/model-kind.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { readSettings } from '../settings/instance-settings.ts'
import { readCatalogue } from '../catalogue.ts'
import type { ControlParts } from '../parts.ts'
import { checkKey } from '../keys/key-check.ts'
import { requirePage } from '../public/public-pages.ts'
import { readPublicStatus } from '../overview/public-status.ts'
import { pricesView } from '../views/model-view.ts'

const route = routesOf('Instance')

const listPublicModels = route('get /api/public/models', {
  summary: 'List the models that any account may call, with what they cost',
  description: 'Where the setting `public_models` is on; else there is nothing here.',
  who: 'anyone',
  answer: publicModels,
  problems: ['path_unknown'],
  async handle(_call, parts) {
    requirePage((await readSettings(parts.store.settings)).public_models)
    return parts.publicPages.models.get(() => readModels(parts))
  },
})

const readStatus = route('get /api/public/status', {
  summary: 'Read how well the models that any account may call were served',
  description:
    'Where the setting `public_status` is on; else there is nothing here. From real requests of the last 24 hours and 30 days alone, the same for a minute; no upstream is named, and no number of requests.',
  who: 'anyone',
  answer: publicStatus,
  problems: ['path_unknown'],
  async handle(call, parts) {
    requirePage((await readSettings(parts.store.settings)).public_status)
    return parts.publicPages.status.get(() => readPublicStatus(call.nowMs, parts))
  },
})

const checkOneKey = route('post /api/public/key-check', {
  summary: 'Read the use and limits of an API key by its secret',
  description:
    'Where the setting `public_key_check` is on; else there is nothing here. Nothing of it is kept: no record, no log line, no sign that the key was looked at. A key that cannot be read is refused in the same words and after the same time, whatever the reason.',
  who: 'anyone',
  limits: { isReadOnly: true },
  body: keyCheckAsked,
  answer: keyChecked,
  problems: ['path_unknown', 'key_unreadable', 'too_many_requests'],
  async handle(call, parts) {
    requirePage((await readSettings(parts.store.settings)).public_key_check)
    parts.publicPages.keyChecks.count(call.address)
    return checkKey(call.body.key.trim(), call, parts)
  },
})

export const publicRoutes: readonly ApiRoute[] = [listPublicModels, readStatus, checkOneKey]

async function readModels({ store }: Pick<ControlParts, 'store'>) {
  const models = modelsForAll(await readCatalogue(store))
  return {
    data: models
      .toSorted((a, b) => (a.model.name < b.model.name ? -1 : 1))
      .slice(0, PUBLIC_MODELS_LIMIT)
      .map(({ model, group, prices }) => ({
        name: model.name,
        kind: kindOf(model).kind,
        context_tokens: model.contextTokens,
        max_output_tokens: model.maxOutputTokens,
        price: pricesView(prices, group.multiplier),
      })),
  }
}
