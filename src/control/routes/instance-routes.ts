import { isIP } from 'node:net'
import { instanceInfo, type InstanceInfo } from '../../contract/administration.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { readSettings } from '../settings/instance-settings.ts'

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

export const instanceRoutes: readonly ApiRoute[] = [readInstance]

/** Browsers know passkeys in secure contexts alone, and only for a name (WebAuthn, "relying party identifier"). */
function passkeysUnavailable(origin: string): InstanceInfo['passkeys_unavailable'] {
  const url = URL.parse(origin)
  if (url === null) return 'insecure_context'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost' || host.endsWith('.localhost')) return null
  if (isIP(host) !== 0) return 'address_without_name'
  return url.protocol === 'https:' ? null : 'insecure_context'
}
