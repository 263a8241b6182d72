import type { Authorizer } from '../cloud-upstream.ts'
import type { UpstreamRequest } from '../upstream-client.ts'
import { CredentialFailure } from '../cloud-upstream.ts'
import type { MintedSource } from './minted-source.ts'
import type { MintedValue } from './minter.ts'
import { signV4, signingServiceOf, type SigningKeys } from './sign-v4.ts'
import type { SigningClock } from './signing-clock.ts'

/** What a bearer needs of a source of tokens. */
type TokenSupply = Pick<MintedSource, 'get' | 'replace' | 'close'>

const UNAUTHORIZED = 401
const FORBIDDEN = 403

/** Sends a token as a bearer. One that the provider refuses before its end is replaced, and the request sent once more. */
export function bearerAuthorizer(
  source: TokenSupply,
  also: (request: UpstreamRequest) => Readonly<Record<string, string>>,
): Authorizer {
  const sent = new WeakMap<UpstreamRequest, MintedValue>()
  const headersWith = (request: UpstreamRequest, value: MintedValue): Readonly<Record<string, string>> => {
    sent.set(request, value)
    if (value.is !== 'bearer') throw new CredentialFailure('The token is none that is sent as it is.')
    return { ...also(request), authorization: `Bearer ${value.token}` }
  }
  return {
    headers(request) {
      const value = source.get()
      return value instanceof Promise ? value.then((token) => headersWith(request, token)) : headersWith(request, value)
    },
    again(request, { status }) {
      const refused = sent.get(request)
      if (status !== UNAUTHORIZED || refused === undefined) return null
      const other = source.replace(refused)
      return other === null ? null : Promise.resolve(other).then((token) => headersWith(request, token))
    },
    close: (isGone) => source.close(isGone),
  }
}

/** Headers that tokens of a source are sent with, beside themselves. */
export function headersBeside(source: string): (request: UpstreamRequest) => Readonly<Record<string, string>> {
  const beta = BETAS[source]
  if (beta === undefined) return () => ({})
  return ({ headers }) => {
    const own = headers['anthropic-beta']
    return { 'anthropic-beta': own === undefined ? beta : `${own},${beta}` }
  }
}

/** Betas of requests with such a token: the SDK of Anthropic sends them so (client.ts). */
const BETAS: Readonly<Record<string, string>> = { anthropic: 'oauth-2025-04-20' }

/** What requests to AWS are signed for. */
interface SignedUpstream {
  readonly baseUrl: string
  readonly region: string
  readonly signing: SigningClock
}

/** Signs each request to AWS, by its keys or those of a session, and by the time of AWS. */
export function signingAuthorizer(
  source: TokenSupply | SigningKeys,
  { baseUrl, region, signing }: SignedUpstream,
): Authorizer {
  const tokens = 'get' in source ? source : null
  const fixed: MintedValue | null = 'get' in source ? null : { is: 'keys', keys: source }
  const sent = new WeakMap<UpstreamRequest, MintedValue>()
  const service = signingServiceOf(baseUrl)
  const sign = async (request: UpstreamRequest, value: MintedValue): Promise<Readonly<Record<string, string>>> => {
    sent.set(request, value)
    if (value.is !== 'keys') throw new CredentialFailure('The token is none that requests are signed with.')
    return signV4(request, { baseUrl, region, service, keys: value.keys, nowMs: signing.now() })
  }
  return {
    async headers(request) {
      return sign(request, fixed ?? (await tokens?.get()) ?? NO_KEYS)
    },
    again(request, { status, headers }) {
      const value = sent.get(request)
      if (status !== FORBIDDEN || value === undefined) return null
      const date = headers['date']
      if (signing.heard(date)) return sign(request, value)
      // https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html
      if (!/^(?:ExpiredToken|UnrecognizedClient)/.test(String(headers['x-amzn-errortype'] ?? ''))) return null
      const other = tokens?.replace(value) ?? null
      return other === null ? null : Promise.resolve(other).then((keys) => sign(request, keys))
    },
    at: (other) => signingAuthorizer(source, { baseUrl: other, region, signing }),
    close: (isGone) => tokens?.close(isGone),
  }
}

const NO_KEYS: MintedValue = { is: 'bearer', token: '' }
