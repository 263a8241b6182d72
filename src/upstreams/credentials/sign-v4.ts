import { createHash } from 'node:crypto'
import type { SignatureV4 } from '@smithy/signature-v4'
import type { UpstreamRequest } from '../upstream-client.ts'

/** An access key, as AWS issues it or a role yields it. */
export interface SigningKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** null: the key is one of a user, and does not end. */
  readonly sessionToken: string | null
}

/** What a request is signed for, and by which key. */
export interface SigningScope {
  /** The upstream's base URL without a trailing slash: its host and its path are signed. */
  readonly baseUrl: string
  readonly region: string
  readonly service: string
  readonly keys: SigningKeys
  readonly nowMs: number
}

/**
 * The headers that sign a request to AWS (Signature Version 4), as it goes out. Signed are the host, the type of the body and all
 * that begins with `x-amz`, which AWS asks for; what a proxy on the way may change is not.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export async function signV4(request: UpstreamRequest, of: SigningScope): Promise<Readonly<Record<string, string>>> {
  const [{ SignatureV4: Signer }, { Sha256 }] = await signer()
  const url = new URL(of.baseUrl)
  const [path, query] = splitOnce(request.path)
  const signs = new Signer({
    service: of.service,
    region: of.region,
    credentials: identityOf(of.keys),
    sha256: Sha256,
  } satisfies ConstructorParameters<typeof SignatureV4>[0])
  const { headers } = await signs.sign(
    {
      method: request.method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: (url.pathname === '/' ? '' : url.pathname) + path,
      query: queryOf(query),
      headers: { ...signedOf(request.headers), host: url.host, 'x-amz-content-sha256': hashOf(request.body) },
    },
    { signingDate: new Date(of.nowMs) },
  )
  return Object.fromEntries(ADDED.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))
}

/** The service that a host of AWS' models is signed for: its bedrock-mantle hosts have one of their own. */
export function signingServiceOf(baseUrl: string): 'bedrock' | 'bedrock-mantle' {
  // https://docs.aws.amazon.com/bedrock/latest/userguide/endpoints.html; the service's name as @anthropic-ai/bedrock-sdk signs.
  return new URL(baseUrl).hostname.startsWith('bedrock-mantle.') ? 'bedrock-mantle' : 'bedrock'
}

const ADDED = ['authorization', 'x-amz-date', 'x-amz-security-token', 'x-amz-content-sha256'] as const

/** Loaded with the first request that is signed. */
function signer(): Promise<[typeof import('@smithy/signature-v4'), typeof import('@aws-crypto/sha256-js')]> {
  return Promise.all([import('@smithy/signature-v4'), import('@aws-crypto/sha256-js')])
}

function identityOf({ accessKeyId, secretAccessKey, sessionToken }: SigningKeys) {
  return { accessKeyId, secretAccessKey, ...(sessionToken !== null && { sessionToken }) }
}

function signedOf(headers: Readonly<Record<string, string>>): Record<string, string> {
  const signed = Object.entries(headers).filter(([name]) => name === 'content-type' || name.startsWith('x-amz'))
  return Object.fromEntries(signed.filter(([name]) => !ADDED.some((added) => added === name)))
}

function splitOnce(path: string): readonly [string, string] {
  const mark = path.indexOf('?')
  return mark === -1 ? [path, ''] : [path.slice(0, mark), path.slice(mark + 1)]
}

function queryOf(query: string): Record<string, string[]> {
  const values = new URLSearchParams(query)
  return Object.fromEntries([...new Set(values.keys())].map((name) => [name, values.getAll(name)]))
}

/** The pieces are hashed one after the other: a large body is not joined for it. */
function hashOf(body: readonly Buffer[]): string {
  const hash = createHash('sha256')
  for (const piece of body) hash.update(piece)
  return hash.digest('hex')
}
