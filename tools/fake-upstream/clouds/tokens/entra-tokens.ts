import { objectionToIdentity, publicKeyOf, verifiedClaims } from './issuer.ts'
import { headerIn, reply, type TokenAsk, type TokenReply } from './token-book.ts'

export const TENANT = '11111111-2222-3333-4444-555555555555'
export const CLIENT = '66666666-7777-8888-9999-000000000000'
export const CLIENT_SECRET = 'fake~client~secret'
const SCOPES = /^https:\/\/(?:cognitiveservices|ai)\.azure\.(?:com|us|cn)\/\.default/
const EXCHANGE = 'api://AzureADTokenExchange'

/** https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow */
export function entra(certificate: string | null): (ask: TokenAsk) => TokenReply {
  return (ask) => {
    const { path, form, book } = ask
    if (path.endsWith('/v2.0/.well-known/openid-configuration')) return reply(200, discoveryOf(headerIn(ask, 'host')))
    if (path !== `/${TENANT}/oauth2/v2.0/token`) return refused('AADSTS90002: Tenant not found.', 'invalid_request')
    if (form.get('grant_type') !== 'client_credentials')
      return refused('AADSTS70003: The app requested an unsupported grant type.')
    if (form.get('client_id') !== CLIENT)
      return refused('AADSTS700016: Application was not found in the directory.', 'unauthorized_client')
    // The library asks for the scopes of OpenID beside it.
    if (!SCOPES.test(form.get('scope') ?? ''))
      return refused('AADSTS70011: The provided value for scope is not valid.', 'invalid_scope')
    const objection = objectionToClient(form, certificate, book.now())
    if (objection !== null) return refused(objection)
    const { token } = book.bearer('eyJ0eXAi.')
    return reply(200, {
      token_type: 'Bearer',
      expires_in: book.lifeSeconds,
      ext_expires_in: book.lifeSeconds,
      access_token: token,
    })
  }
}

function objectionToClient(form: URLSearchParams, certificate: string | null, nowMs: number): string | null {
  const assertion = form.get('client_assertion')
  if (assertion === null) {
    return form.get('client_secret') === CLIENT_SECRET ? null : 'AADSTS7000215: Invalid client secret provided.'
  }
  const claims = certificate === null ? null : verifiedClaims(assertion, publicKeyOf(certificate))
  if (claims === null) {
    const objection = objectionToIdentity(assertion, EXCHANGE, nowMs)
    return objection === null ? null : `AADSTS700211: No matching federated identity record found: ${objection}.`
  }
  const now = nowMs / 1_000
  if (Number(claims['nbf']) > now + 300 || Number(claims['exp']) < now) {
    return 'AADSTS700024: Client assertion is not within its valid time range.'
  }
  return claims['iss'] === CLIENT && claims['sub'] === CLIENT
    ? null
    : 'AADSTS700027: Client assertion failed signature validation.'
}

function refused(description: string, error = 'invalid_client'): TokenReply {
  const code = Number(/^AADSTS(\d+)/.exec(description)?.[1])
  const ids = { trace_id: 'trace', correlation_id: 'correlation', timestamp: '2026-11-30 03:00:00Z' }
  return reply(401, { error, error_description: description, error_codes: [code], ...ids })
}

function discoveryOf(host: string): object {
  const base = `https://${host}/${TENANT}`
  return {
    token_endpoint: `${base}/oauth2/v2.0/token`,
    authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
    issuer: `${base}/v2.0`,
    jwks_uri: `${base}/discovery/v2.0/keys`,
  }
}

/** https://learn.microsoft.com/en-us/entra/identity/managed-identities-azure-resources/how-to-use-vm-token */
export function azureMetadata(ask: TokenAsk): TokenReply {
  const { query, book } = ask
  if (headerIn(ask, 'metadata') !== 'true')
    return reply(400, { error: 'invalid_request', error_description: 'Required metadata header not specified' })
  const resource = query.get('resource') ?? ''
  if (!/^https:\/\/(?:cognitiveservices|ai)\.azure\./.test(resource)) {
    return reply(400, {
      error: 'invalid_resource',
      error_description: 'AADSTS500011: The resource principal was not found.',
    })
  }
  const { token, endsAt } = book.bearer('eyJ0eXAi.')
  const seconds = Math.round(endsAt / 1_000)
  return reply(200, {
    access_token: token,
    expires_in: String(book.lifeSeconds),
    expires_on: String(seconds),
    resource,
    token_type: 'Bearer',
  })
}
