import { isIP } from 'node:net'
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
import { instanceInfo, type InstanceInfo } from '../../contract/administration.ts'

const route = routesOf('Instance')

const readInstance = route('get /api/instance', {
  summary: 'Read what can be known without signing in',
  description: 'The name of the server, who may open an account, and the ways to sign in.',
  who: 'anyone',
  answer: instanceInfo,
  async handle(call, parts): Promise<InstanceInfo> {
    const settings = await readSettings(parts.store.settings)
    const { version, demo, canMail, oidcName } = parts.instance
    return {
      site_name: settings.site_name,
      registration: settings.registration,
      origin: call.origin,
      can_mail: canMail,
      oidc: oidcName === null ? null : { name: oidcName },
      passkeys_unavailable: passkeysUnavailable(call.origin),
      top_up_url: settings.top_up_url,
      support_address: settings.support_address,
      device_sign_in: settings.device_sign_in,
      public_pages: {
        models: settings.public_models,
        status: settings.public_status,
        key_check: settings.public_key_check,
      },
      demo,
      version,
    }
  },
})

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

export const publicRoutes: readonly ApiRoute[] = [readInstance, listPublicModels, readStatus, checkOneKey]

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

/** Browsers know passkeys in secure contexts alone, and only for a name (WebAuthn, "relying party identifier"). */
function passkeysUnavailable(origin: string): InstanceInfo['passkeys_unavailable'] {
  const url = URL.parse(origin)
  if (url === null) return 'insecure_context'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost' || host.endsWith('.localhost')) return null
  if (isIP(host) !== 0) return 'address_without_name'
  return url.protocol === 'https:' ? null : 'insecure_context'
}
