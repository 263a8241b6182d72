import { z } from 'zod'
import { askProvider, jsonOf, type ProviderAnswer } from './ask-provider.ts'
import { authenticated, type ClientAuthentication } from './client-authentication.ts'
import { OidcFailure, providerWords } from './oidc-failure.ts'
import type { OidcSettings, ProviderNetwork } from './oidc-settings.ts'

/** What a code is exchanged with. */
export interface CodeRequest {
  readonly code: string
  readonly verifier: string
  readonly redirectUri: string
}

/** How this gateway asks the token endpoint. */
export interface TokenEndpoint {
  readonly url: string
  readonly client: Pick<OidcSettings, 'clientId' | 'clientSecret'>
  readonly network: ProviderNetwork
}

export interface Tokens {
  readonly idToken: string
  /** null: there is none. */
  readonly accessToken: string | null
  /** The provider’s time when it answered; null: it did not say. */
  readonly dateMs: number | null
}

const tokens = z.looseObject({ id_token: z.string(), access_token: z.string().optional() })
const refusal = z.looseObject({ error: z.string().optional(), error_description: z.unknown().optional() })

/** What a provider answered to a code. */
export type CodeAnswer = { readonly kind: 'answered'; readonly answer: ProviderAnswer } | CodeRefusal

export interface CodeRefusal {
  readonly kind: 'refused'
  readonly error: string
  /** What was refused: this gateway as a client, the code, or what only the words may say. */
  readonly what: 'client' | 'code' | 'request'
  readonly words: string
}

/** Sends a code to the token endpoint, with the secret shown in this way. Throws OidcFailure where there is no answer. */
export async function sendCode(
  { url, client, network }: TokenEndpoint,
  way: ClientAuthentication,
  { code, verifier, redirectUri }: CodeRequest,
): Promise<CodeAnswer> {
  const { headers, fields } = authenticated(way, client)
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...fields,
  }).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await askProvider(network, url, { method: 'POST', headers: { ...type, ...headers }, body })
  const said = refusal.safeParse(answer.json)
  const named = said.success ? said.data.error : undefined
  if (answer.status < 400 && named === undefined) return { kind: 'answered', answer }
  const secrets = [code, verifier, client.clientSecret, (headers['authorization'] ?? '').replace('Basic ', '')]
  const about = said.success && typeof said.data.error_description === 'string' ? said.data.error_description : ''
  const error = named === undefined ? `status ${answer.status}` : providerWords(named, secrets)
  const words = about === '' ? error : `${error} (${providerWords(about, secrets)})`
  return { kind: 'refused', error, what: REFUSED[error] ?? 'request', words }
}

/** What is refused, by the codes of RFC 6749, 5.2. Keycloak says `unauthorized_client` of a wrong secret, and some say nothing beside the status. */
const REFUSED: Readonly<Record<string, CodeRefusal['what']>> = {
  invalid_client: 'client',
  unauthorized_client: 'client',
  'status 401': 'client',
  invalid_grant: 'code',
}

/** The tokens in a good answer. Throws OidcFailure. */
export function tokensIn(answer: ProviderAnswer): Tokens {
  const found = tokens.safeParse(jsonOf(answer))
  if (!found.success) {
    throw new OidcFailure(
      'oidc_failed',
      'the OIDC provider answers a code without an ID token: is the scope openid allowed?',
    )
  }
  return { idToken: found.data.id_token, accessToken: found.data.access_token ?? null, dateMs: answer.dateMs }
}

/** Why no tokens came for a code. */
export function codeRefused({ what, words }: CodeRefusal): OidcFailure {
  if (what !== 'client') return new OidcFailure('oidc_failed', `the OIDC provider gives no tokens for a code: ${words}`)
  return new OidcFailure(
    'oidc_misconfigured',
    `the OIDC provider refuses this gateway as a client: ${words}. Check TOLLGATE_OIDC_CLIENT_ID and TOLLGATE_OIDC_CLIENT_SECRET`,
  )
}
