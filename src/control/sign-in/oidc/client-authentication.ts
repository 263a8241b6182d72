import { OidcFailure } from './oidc-failure.ts'
import type { OidcSettings } from './oidc-settings.ts'

/** The ways in which this gateway can show its secret at the token endpoint (OpenID Connect Core 1.0, 9). */
export type ClientAuthentication = 'client_secret_basic' | 'client_secret_post'

const WAYS: readonly ClientAuthentication[] = ['client_secret_basic', 'client_secret_post']

/**
 * The ways of those that a provider names, in the order in which they are tried; basic where it names none, which is the
 * standard (OpenID Connect Discovery 1.0, 3). What it names is what any client may use: this client may be registered for one
 * of them alone. Throws OidcFailure where there is none.
 */
export function waysToAuthenticate(named: readonly string[] | undefined): readonly ClientAuthentication[] {
  if (named === undefined) return ['client_secret_basic']
  const ways = WAYS.filter((way) => named.includes(way))
  if (ways.length > 0) return ways
  const others = named.slice(0, 5).join(', ') || 'none'
  throw new OidcFailure(
    'oidc_misconfigured',
    `the OIDC provider takes no client secret (token_endpoint_auth_methods_supported: ${others}): register this gateway as a confidential client with client_secret_basic or client_secret_post`,
  )
}

/** What a request to the token endpoint has beside its own fields. */
export function authenticated(
  way: ClientAuthentication,
  { clientId, clientSecret }: Pick<OidcSettings, 'clientId' | 'clientSecret'>,
): { readonly headers: Readonly<Record<string, string>>; readonly fields: Readonly<Record<string, string>> } {
  if (way === 'client_secret_post') return { headers: {}, fields: { client_id: clientId, client_secret: clientSecret } }
  const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`
  return { headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, fields: {} }
}

/** RFC 6749, 2.3.1 and appendix B: both are form-encoded before they become a pair. */
function formEncoded(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2)
}
