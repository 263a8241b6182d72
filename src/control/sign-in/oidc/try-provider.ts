import type { Clock } from '../../../core/clock.ts'
import { waysToAuthenticate } from './client-authentication.ts'
import { type CodeRefusal, codeRefused, sendCode } from './exchange-code.ts'
import { boundedLine, OidcFailure } from './oidc-failure.ts'
import {
  descriptionUrl,
  isOfManyTenants,
  type ProviderDescription,
  readDescription,
  withoutSlash,
} from './provider-description.ts'
import { isSigningAlgorithm, ProviderKeys } from './provider-keys.ts'
import { type OidcSettings, type ProviderNetwork, redirectUriAt } from './oidc-settings.ts'

/** What was found of one part of a sign-in. `look`: people may get in, and an admin should know it. */
export interface ProviderFinding {
  readonly about: 'description' | 'issuer' | 'keys' | 'client' | 'redirect URI' | 'addresses' | 'clock'
  readonly outcome: 'ok' | 'look' | 'failed'
  readonly sentence: string
}

export interface ProviderTrial {
  readonly oidc: OidcSettings
  readonly network: ProviderNetwork
  readonly clock: Pick<Clock, 'elapsed'>
  /** null: it is not set. */
  readonly publicOrigin: string | null
  readonly randomBytes: (count: number) => Buffer
}

/** Tries everything that a sign-in needs of the provider but the person. */
export async function tryProvider(trial: ProviderTrial): Promise<readonly ProviderFinding[]> {
  const { oidc, network } = trial
  const described = await attempt(() => readDescription(oidc, network))
  if (described instanceof OidcFailure) {
    const url = descriptionUrl(oidc.issuer)
    return [failed('description', `${described.message}. This machine has to get ${url}: check TOLLGATE_OIDC_ISSUER`)]
  }
  return [
    ok('description', `read from ${descriptionUrl(oidc.issuer)}`),
    aboutIssuer(described, oidc),
    await aboutKeys(described, trial),
    await aboutClient(described, trial),
    aboutRedirect(described, trial),
    aboutAddresses(described, oidc),
    aboutClock(network),
  ]
}

type FindingSubject = ProviderFinding['about']

const ok = (about: FindingSubject, sentence: string): ProviderFinding => ({ about, outcome: 'ok', sentence })
const look = (about: FindingSubject, sentence: string): ProviderFinding => ({ about, outcome: 'look', sentence })
const failed = (about: FindingSubject, sentence: string): ProviderFinding => ({ about, outcome: 'failed', sentence })

async function attempt<Made>(make: () => Promise<Made>): Promise<Made | OidcFailure> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof OidcFailure) return error
    throw error
  }
}

function aboutIssuer({ issuer }: ProviderDescription, oidc: OidcSettings): ProviderFinding {
  const named = boundedLine(issuer)
  if (isOfManyTenants(issuer)) {
    return look(
      'issuer',
      `people of all tenants can sign in (${named}): name the tenant in TOLLGATE_OIDC_ISSUER where only yours should`,
    )
  }
  if (withoutSlash(issuer) === withoutSlash(oidc.issuer)) return ok('issuer', named)
  return look(
    'issuer',
    `the provider describes itself as ${named}, and TOLLGATE_OIDC_ISSUER is ${boundedLine(oidc.issuer)}: tokens have to be of ${named}; use that address if this machine reaches it`,
  )
}

async function aboutKeys(described: ProviderDescription, { clock, network }: ProviderTrial): Promise<ProviderFinding> {
  const algorithms = described.id_token_signing_alg_values_supported
  const usable = algorithms?.filter(isSigningAlgorithm)
  if (usable?.length === 0) {
    return failed(
      'keys',
      `ID tokens are signed by ${boundedLine(algorithms?.join(', ') ?? '')}, which no published key can prove: choose a signing key for this client at the provider, such as one for RS256 or ES256`,
    )
  }
  const keys = await attempt(() => new ProviderKeys(described.jwks_uri, { clock, network }).all())
  if (keys instanceof OidcFailure) return failed('keys', keys.message)
  if (keys.length === 0) {
    return failed('keys', `${described.jwks_uri} has no key that signs: choose a signing key at the provider`)
  }
  const kinds = [...new Set(keys.map(({ kty, alg }) => alg ?? kty))].slice(0, 8).join(', ')
  return ok('keys', `${keys.length} at ${described.jwks_uri} (${boundedLine(kinds)})`)
}

/** A made-up code is refused by a provider that has taken the secret, and the gateway itself by one that has not. */
async function aboutClient(described: ProviderDescription, trial: ProviderTrial): Promise<ProviderFinding> {
  const { oidc: client, network, publicOrigin, randomBytes } = trial
  const request = {
    code: randomBytes(24).toString('base64url'),
    verifier: randomBytes(32).toString('base64url'),
    redirectUri: redirectUriAt(publicOrigin ?? 'http://localhost'),
  }
  const found = await attempt(async () => {
    const refusals: CodeRefusal[] = []
    for (const way of waysToAuthenticate(described.token_endpoint_auth_methods_supported)) {
      const answer = await sendCode({ url: described.token_endpoint, client, network }, way, request)
      if (answer.kind === 'answered') return look('client', 'the provider answers a made-up code with tokens')
      if (answer.what === 'code') return ok('client', `id and secret are right (${way})`)
      refusals.push(answer)
    }
    const refused = refusals.find(({ what }) => what === 'client')
    if (refused !== undefined) return failed('client', codeRefused(refused).message)
    return look(
      'client',
      `a made-up code is answered with ${refusals[0]?.words ?? 'nothing'}, which does not say whether id and secret are right: sign in once`,
    )
  })
  return found instanceof OidcFailure ? failed('client', found.message) : found
}

function aboutRedirect(described: ProviderDescription, { publicOrigin }: ProviderTrial): ProviderFinding {
  const at = new URL(described.authorization_endpoint).origin
  if (publicOrigin !== null) {
    return ok('redirect URI', `register ${redirectUriAt(publicOrigin)} at the provider; browsers go to ${at}`)
  }
  return look(
    'redirect URI',
    `register ${redirectUriAt('ORIGIN')} at the provider, ORIGIN as people open the console, and set TOLLGATE_PUBLIC_URL to it; browsers go to ${at}`,
  )
}

function aboutAddresses(described: ProviderDescription, { trustsEmail }: OidcSettings): ProviderFinding {
  const { claims_supported: claims, scopes_supported: scopes, issuer } = described
  const others = 'people come by invitation, or link it under Account'
  if (isOfManyTenants(issuer)) {
    const vain = trustsEmail ? 'TOLLGATE_OIDC_TRUST_EMAIL has no effect where people of all tenants can sign in: ' : ''
    return look('addresses', `${vain}only addresses that the provider calls verified count; else ${others}`)
  }
  if (trustsEmail) return ok('addresses', 'all that the provider names count as verified (TOLLGATE_OIDC_TRUST_EMAIL)')
  if (scopes?.includes('openid') === true && !scopes.includes('email')) {
    return look('addresses', `the provider has no scope "email": without an address ${others}`)
  }
  if (claims === undefined || claims.includes('email_verified')) {
    return ok('addresses', 'those that the provider calls verified (email_verified) count')
  }
  return look(
    'addresses',
    `the provider lists no claim email_verified: ${others}; if all its addresses are right, set TOLLGATE_OIDC_TRUST_EMAIL=1`,
  )
}

/** Sign-ins fail beyond a minute. */
const TOLERATED_MS = 60_000
const IN_STEP_MS = 2_000

function aboutClock(network: ProviderNetwork): ProviderFinding {
  const ahead = network.clockAheadMs()
  if (ahead === null) return look('clock', 'the provider does not say its time (no Date header)')
  if (Math.abs(ahead) <= IN_STEP_MS) return ok('clock', 'in step with the provider’s')
  const side = `${Math.floor(Math.abs(ahead) / 1_000)} s ${ahead > 0 ? 'ahead of' : 'behind'} the provider’s`
  const sentence = `the clock of this machine is ${side}: have both set over the network (NTP)`
  return Math.abs(ahead) > TOLERATED_MS ? failed('clock', sentence) : look('clock', sentence)
}
