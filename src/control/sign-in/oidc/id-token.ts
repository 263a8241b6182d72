import { z } from 'zod'
import type { CompactJWSHeaderParameters, JWK } from 'jose'
import type { Clock } from '../../../core/clock.ts'
import { isIssuer, isOfManyTenants } from './provider-description.ts'
import { boundedLine, OidcFailure, providerWords } from './oidc-failure.ts'
import { isSigningAlgorithm, type ProviderKeys, type SigningKey } from './provider-keys.ts'

/** The clocks of a provider and of this server may differ by so much (RFC 7519, 4.1.4). */
const CLOCK_TOLERANCE_MS = 60_000
/** Clocks that differ by no more are in step: a `Date` has whole seconds, and an answer takes some time. */
const IN_STEP_MS = 10_000
const KEYS_TRIED = 10

const seconds = z.number().min(0).max(1e11)
const claims = z.looseObject({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  aud: z.union([z.string(), z.array(z.string()).max(100)]),
  exp: seconds,
  iat: seconds.optional(),
  nbf: seconds.optional(),
  nonce: z.string().optional(),
  azp: z.string().optional(),
})

export type IdClaims = z.output<typeof claims>

export interface TokenCheck {
  readonly issuer: string
  readonly clientId: string
  readonly nonce: string
  readonly keys: ProviderKeys
  readonly clock: Pick<Clock, 'now'>
  /** What time it was at the provider when it answered with the token, and here; null: it did not say. */
  readonly heard: { readonly theirs: number; readonly ours: number } | null
}

/** The claims of an ID token, signed by the provider, for us, now, for this sign-in. Throws OidcFailure, which names the cause. */
export async function verifiedClaims(token: string, check: TokenCheck): Promise<IdClaims> {
  const header = await headerOf(token)
  const { payload, key } = await signedPayload(token, header, check)
  const found = claims.safeParse(payload)
  if (!found.success) {
    const [issue] = found.error.issues
    throw misconfigured(`the ID token has no usable ${issue?.path.join('.') || 'form'}`)
  }
  const { data } = found
  requireIssuer(data, key, check)
  requireAudience(data, check)
  requireTimes(data, check)
  if (data.nonce !== check.nonce)
    throw new OidcFailure('oidc_failed', 'the ID token has another nonce than this sign-in')
  return data
}

function misconfigured(message: string): OidcFailure {
  return new OidcFailure('oidc_misconfigured', message)
}

async function headerOf(token: string): Promise<CompactJWSHeaderParameters & { readonly alg: string }> {
  const { decodeProtectedHeader } = await import('jose')
  const parts = token.split('.').length
  if (parts === 5)
    throw misconfigured('the ID token is encrypted, which is not supported: turn that off at the OIDC provider')
  const alg = parts === 3 ? attempted(() => decodeProtectedHeader(token))?.alg : undefined
  if (alg === undefined) throw misconfigured('the ID token is not a signed JWT')
  if (isSigningAlgorithm(alg)) return { ...decodeProtectedHeader(token), alg }
  throw misconfigured(
    `the ID token is signed by ${providerWords(alg)}, which no published key can prove: choose a signing key for this client at the OIDC provider, such as one for RS256 or ES256`,
  )
}

function attempted<Made>(make: () => Made): Made | null {
  try {
    return make()
  } catch {
    return null
  }
}

/** The payload of a token that one of the provider’s keys signed; those that were kept may be old. */
async function signedPayload(
  token: string,
  header: { readonly alg: string; readonly kid?: string },
  { keys }: TokenCheck,
) {
  for (const isFresh of [false, true]) {
    for (const key of (await keys.fitting(header, { isFresh })).slice(0, KEYS_TRIED)) {
      const payload = await payloadBy(key, token, header.alg)
      if (payload !== null) return { payload, key }
    }
  }
  const named = header.kid === undefined ? '' : ` with the kid ${providerWords(header.kid)}`
  throw misconfigured(`no key${named} that the OIDC provider publishes has signed the ID token (${header.alg})`)
}

/** null: another key signed it, or this one cannot be used. */
async function payloadBy(key: SigningKey, token: string, alg: string): Promise<unknown> {
  const { compactVerify } = await import('jose')
  try {
    const { payload } = await compactVerify(token, { ...key, alg } as JWK, { algorithms: [alg] })
    return JSON.parse(Buffer.from(payload).toString())
  } catch {
    return null
  }
}

function requireIssuer(data: IdClaims, key: SigningKey, { issuer }: TokenCheck): void {
  const tenant = data['tid']
  if (!isIssuer(data.iss, issuer, tenant)) {
    throw misconfigured(
      `the ID token is of the issuer ${boundedLine(data.iss)}, and the OIDC provider describes itself as ${boundedLine(issuer)}: give the provider one address for all (a hostname setting), and TOLLGATE_OIDC_ISSUER the same`,
    )
  }
  if (!isOfManyTenants(issuer) || key.issuer === undefined) return
  if (isIssuer(data.iss, key.issuer, tenant)) return
  throw misconfigured('the ID token is signed by a key that is not for its issuer')
}

function requireAudience({ aud, azp }: IdClaims, { clientId }: TokenCheck): void {
  const audiences = typeof aud === 'string' ? [aud] : aud
  if (!audiences.includes(clientId)) {
    throw misconfigured(
      `the ID token is for ${providerWords(audiences.join(', ')) || 'no client'}, and not for TOLLGATE_OIDC_CLIENT_ID`,
    )
  }
  if (audiences.length === 1 || azp === undefined || azp === clientId) return
  throw misconfigured('the ID token was given to another client (azp)')
}

function requireTimes({ exp, iat = 0, nbf = 0 }: IdClaims, check: TokenCheck): void {
  const now = check.clock.now()
  const from = Math.max(iat, nbf) * 1_000
  if (from > now + CLOCK_TOLERANCE_MS) throw ofClocks(`is valid from ${timeOf(from)}`, now, check)
  if (exp * 1_000 + CLOCK_TOLERANCE_MS <= now) throw ofClocks(`was valid until ${timeOf(exp * 1_000)}`, now, check)
}

function ofClocks(valid: string, now: number, { heard }: TokenCheck): OidcFailure {
  const here = `the ID token ${valid}, and the clock of this server says ${timeOf(now)}`
  const ahead = heard === null ? null : heard.ours - heard.theirs
  if (ahead === null) return new OidcFailure('oidc_clock_off', `${here}: have both clocks set over the network (NTP)`)
  if (Math.abs(ahead) <= IN_STEP_MS) {
    return misconfigured(`${here}, in step with the OIDC provider’s: it makes ID tokens with wrong times`)
  }
  const side = `${Math.round(Math.abs(ahead) / 1_000)} s ${ahead > 0 ? 'ahead of' : 'behind'}`
  return new OidcFailure(
    'oidc_clock_off',
    `${here}, which is ${side} the OIDC provider’s: have both set over the network (NTP)`,
  )
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}
