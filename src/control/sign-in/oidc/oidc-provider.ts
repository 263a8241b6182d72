import {
  authorizationCodeRequest,
  createAuthorizationURL,
  getOAuth2Tokens,
  type OAuthProvider,
  verifyProviderIdToken,
} from '@better-auth/core/oauth2'
import { z } from 'zod'
import { PROVIDER_ID } from '../authenticator/inner-names.ts'
import type { OidcSettings, SignInParts } from '../parts.ts'
import { askProvider } from './ask-provider.ts'
import { isSigningAlgorithm, ProviderKeys } from './provider-keys.ts'

const SCOPES = ['openid', 'email', 'profile']

const address = z.url({ protocol: /^https?$/ }).max(2_048)

/** What a provider has to say of itself (OpenID Connect Discovery 1.0, 3). */
const description = z.looseObject({
  issuer: address,
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  userinfo_endpoint: address.optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).max(50).optional(),
})

const claims = z.looseObject({ sub: z.string().min(1).max(255), email: z.string().optional() })
type Claims = z.output<typeof claims>

type ProviderParts = Pick<SignInParts, 'clock' | 'onRefusal'>

/**
 * The OIDC provider, for better-auth, which begins and ends the exchange. What goes to the provider goes by `askProvider`:
 * better-auth's own provider follows redirects and reads answers of any size. Without a description that can be read it
 * has none, and `Authenticators` tries again later.
 */
export function oidcProvider(oidc: OidcSettings, parts: ProviderParts) {
  return {
    id: 'tollgate-oidc',
    init: async () => {
      const provider = await described(oidc, parts).catch((error: unknown) => {
        parts.onRefusal(`the OIDC provider cannot be used: ${wordsOf(error)}`)
        return null
      })
      return { context: { socialProviders: provider === null ? [] : [provider] } }
    },
  }
}

async function described(oidc: OidcSettings, parts: ProviderParts): Promise<OAuthProvider<Claims>> {
  const url = `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const found = description.safeParse(await askProvider(url, { method: 'GET' }))
  if (!found.success) {
    const [issue] = found.error.issues
    throw new Error(`its description has no usable ${issue?.path.join('.') || 'form'}`)
  }
  const { clientId, clientSecret } = oidc
  const { data: endpoints } = found
  const keys = new ProviderKeys(endpoints.jwks_uri, parts.clock)
  const algorithms = endpoints.id_token_signing_alg_values_supported?.filter(isSigningAlgorithm)
  const provider: OAuthProvider<Claims> = {
    id: PROVIDER_ID,
    name: oidc.name,
    issuer: endpoints.issuer,
    accountSubject: ({ profile }) => profile.sub,
    requiresIdTokenNonce: true,
    idToken: {
      jwks: (header) => keys.keyFor(header),
      issuer: endpoints.issuer,
      audience: clientId,
      algorithms: algorithms?.length === 0 ? undefined : algorithms,
    },
    createAuthorizationURL: ({ idTokenNonce: nonce, ...data }) =>
      createAuthorizationURL({
        ...data,
        id: PROVIDER_ID,
        options: { clientId, clientSecret },
        authorizationEndpoint: endpoints.authorization_endpoint,
        scopes: SCOPES,
        nonce,
      }),
    async validateAuthorizationCode(data) {
      const { body, headers } = await authorizationCodeRequest({
        ...data,
        options: { clientId, clientSecret },
        tokenEndpoint: endpoints.token_endpoint,
      })
      const answer = await askProvider(endpoints.token_endpoint, { method: 'POST', headers, body: body.toString() })
      return getOAuth2Tokens(z.looseObject({}).parse(answer))
    },
    async getUserInfo({ expectedIdTokenNonce, idToken, accessToken }) {
      if (idToken === undefined || !(await verifyProviderIdToken(provider, idToken, expectedIdTokenNonce))) {
        parts.onRefusal('the ID token of the OIDC provider is missing, or its signature, times or nonce are wrong')
        return null
      }
      const person = await personOf(idToken, { accessToken, userInfoUrl: endpoints.userinfo_endpoint }).catch(
        (error: unknown) => parts.onRefusal(wordsOf(error)),
      )
      if (person === undefined) return null
      const { email, name, picture } = person
      // Some providers send the claim as text; only the boolean counts.
      const user = { email, emailVerified: person['email_verified'] === true }
      return { user: { ...user, ...text('name', name), ...text('image', picture) }, data: person }
    },
  }
  return provider
}

/** Who signed in: as the ID token says, whose signature was checked, or else its provider when asked with the access token. */
async function personOf(
  idToken: string,
  { accessToken, userInfoUrl }: { readonly accessToken: string | undefined; readonly userInfoUrl: string | undefined },
): Promise<Claims> {
  const payload = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()
  const inToken = claims.parse(JSON.parse(payload))
  if (inToken.email !== undefined || userInfoUrl === undefined || accessToken === undefined) return inToken
  const headers = { authorization: `Bearer ${accessToken}` }
  const asked = claims.parse(await askProvider(userInfoUrl, { method: 'GET', headers }))
  // OpenID Connect Core 1.0, 5.3.2: an answer about another person must not be used.
  if (asked.sub !== inToken.sub) throw new Error('the OIDC provider answers about another person than its ID token')
  return { ...inToken, ...asked }
}

function text<Name extends string>(name: Name, value: unknown): { readonly [Key in Name]?: string } {
  return typeof value === 'string' ? ({ [name]: value } as { [Key in Name]: string }) : {}
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an unknown error'
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}`
}
