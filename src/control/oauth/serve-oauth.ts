import type { Hono } from 'hono'
import type { HttpBindings } from '@hono/node-server'
import type { IncomingMessage } from 'node:http'
import { FAULTS } from '../../core/faults.ts'
import { StoreUnavailable } from '../../core/store-unavailable.ts'
import { readText } from '../api/request-body.ts'
import { credentialsOf, type HonoContext, recording, type ServingParts } from '../api/serve-route.ts'
import { Problem } from '../problem.ts'
import type { ControlParts } from '../parts.ts'
import { readSettings } from '../settings/instance-settings.ts'
import { deviceTerms } from '../settings/upkeep-settings.ts'
import { addOwnSecret, deleteOwnSecret, readOwnDevice } from './own-device.ts'
import { askDevice } from './device-authorization.ts'
import type { OAuthCall } from './oauth-call.ts'
import { OAuthError } from './oauth-error.ts'
import { isSecureOrigin, serverMetadata } from './server-metadata.ts'
import { exchangeToken } from './token.ts'
import { revokeToken } from './revoke.ts'

type OAuthAnswer = (call: OAuthCall, parts: ControlParts) => Promise<object> | object
type OAuthApp = Hono<{ Bindings: HttpBindings; Variables: { requestId: string } }>

/** No form of ours is longer; a longer one is not read. */
const FORM_LIMIT_BYTES = 8_192
const FIELD_LIMIT_CHARACTERS = 1_024

/**
 * The endpoints by which programs sign in: OAuth 2.0 with the device grant (RFC 8628), its metadata (RFC 8414), and revocation
 * (RFC 7009), and what a device that is signed in is shown of itself. They are served over HTTPS and on loopback alone, and where
 * the setting `device_sign_in` has not turned them off.
 */
export function serveOAuth(app: OAuthApp, serving: ServingParts): void {
  const served = (answer: OAuthAnswer) => (context: HonoContext) => answered(context, answer, serving)
  app.get('/.well-known/oauth-authorization-server', served(serverMetadata))
  app.post('/oauth/device_authorization', served(askDevice))
  app.post('/oauth/token', served(exchangeToken))
  app.post('/oauth/revoke', served(revokeToken))
  app.get('/oauth/device', served(readOwnDevice))
  app.post('/oauth/device/secrets', served(addOwnSecret))
  app.post('/oauth/device/secrets/delete', served(deleteOwnSecret))
}

async function answered(context: HonoContext, answer: OAuthAnswer, serving: ServingParts): Promise<Response> {
  const { parts } = serving
  const { incoming } = context.env
  try {
    if (parts.isClosed()) throw away(FAULTS.draining.retryAfterSeconds)
    const askedOrigin = parts.askedOriginOf(incoming)
    const settings = await readSettings(parts.store.settings)
    if (!settings.device_sign_in || !isSecureOrigin(askedOrigin, parts.publicOrigin))
      throw new Problem('path_unknown', 'Sign-in from programs is not offered here.')
    const credentials = credentialsOf(incoming, context, serving)
    const form = incoming.method === 'POST' ? await readForm(incoming) : new Map<string, string>()
    const terms = deviceTerms(settings)
    const call = { ...credentials, ...recording({ actor: null, credentials, serving }), form, askedOrigin, terms }
    return json(await answer(call, parts))
  } catch (error) {
    if (error instanceof OAuthError) return refusal(error)
    if (error instanceof Problem) throw error
    // A client that cannot be answered stays signed in: it asks again.
    const isAway = error instanceof StoreUnavailable || parts.answeredFailure(error) !== null
    if (!isAway && (await parts.storeFailure()) === null) throw error
    parts.log.error({ requestId: context.get('requestId'), err: error }, 'failed to answer a program that signs in')
    return refusal(away(FAULTS.store_unavailable.retryAfterSeconds))
  }
}

function away(retryAfterSeconds: number): OAuthError {
  return new OAuthError('temporarily_unavailable', 'This gateway cannot answer at present. Ask again soon.', {
    status: 503,
    retryAfterSeconds,
  })
}

/** Throws OAuthError. */
async function readForm(incoming: IncomingMessage): Promise<ReadonlyMap<string, string>> {
  const type = incoming.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') {
    throw new OAuthError(
      'invalid_request',
      'The body must be a form: "content-type: application/x-www-form-urlencoded".',
    )
  }
  const text = await readText(incoming, FORM_LIMIT_BYTES).catch((error: unknown) => {
    if (error instanceof Problem) throw new OAuthError('invalid_request', error.message, { status: error.status })
    throw error
  })
  const form = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (form.has(name)) throw new OAuthError('invalid_request', 'A field of the form is there twice.')
    if (value.length > FIELD_LIMIT_CHARACTERS)
      throw new OAuthError('invalid_request', 'A field of the form is too long.')
    form.set(name, value)
  }
  return form
}

function refusal({ code, message, status, retryAfterSeconds }: OAuthError): Response {
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  return json({ error: code, error_description: message }, { status, headers })
}

function json(
  body: object,
  init: { readonly status?: number; readonly headers?: Record<string, string> } = {},
): Response {
  return new Response(JSON.stringify(body), {
    status: init.status ?? 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...init.headers },
  })
}
