import { randomBytes } from 'node:crypto'
import { Sha256 } from '@aws-crypto/sha256-js'
import { SignatureV4 } from '@smithy/signature-v4'
import { describe, expect, it } from 'vitest'
import { canonicalRequest, signatureOf, verifySigV4 } from '../../../tools/fake-upstream/clouds/verify-sig-v4.ts'
import type { UpstreamRequest } from '../upstream-client.ts'
import { signingServiceOf, signV4, type SigningScope } from './sign-v4.ts'

const NOW = Date.UTC(2026, 10, 30, 3, 0, 0)
const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const SCOPE: SigningScope = {
  baseUrl: 'https://bedrock-runtime.eu-west-1.amazonaws.com',
  region: 'eu-west-1',
  service: 'bedrock',
  keys: { ...KEYS, sessionToken: null },
  nowMs: NOW,
}

describe('signV4', () => {
  it('is judged by a computation that yields the signature that AWS publishes for its own example', () => {
    // get-vanilla of AWS' test suite for Signature Version 4.
    const request = { method: 'GET', target: '/', body: Buffer.alloc(0), headers: EXAMPLE_HEADERS }
    const canonical = canonicalRequest(request, ['host', 'x-amz-date'], EMPTY_HASH)
    const scope = { date: '20150830', region: 'us-east-1', service: 'service' }
    expect(signatureOf(canonical, KEYS.secretAccessKey, scope)).toBe(
      '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    )
  })

  it('signs ids with colons and slashes, queries, prefixes and bodies in pieces as AWS reads them', async () => {
    const ids = [
      'anthropic.claude-sonnet-4-5-20250929-v1:0',
      'eu.anthropic.claude-haiku-4-5-20251001-v1:0',
      'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/a1b2c3',
      "it's (odd)!*",
    ]
    const paths = ids.flatMap((id) => [
      `/model/${encodeURIComponent(id)}/invoke`,
      `/model/${encodeURIComponent(id)}/invoke-with-response-stream?b=2&a=1&a=0&empty=`,
    ])
    for (const path of paths) {
      for (const sessionToken of [null, 'token/+=']) {
        const request = asking(path)
        const scope = { ...SCOPE, keys: { ...KEYS, sessionToken } }
        const headers = await signV4(request, scope)
        expect(judged(request, scope, headers), path).toBeNull()
        const changed = { ...request, body: [Buffer.from('{"other":1}')] }
        expect(judged(changed, scope, headers)?.type).toBe('InvalidSignatureException')
      }
    }
    const prefixed = { ...SCOPE, baseUrl: 'https://gateway.example.com:8443/aws' }
    const request = asking('/model/a/invoke')
    expect(judged(request, prefixed, await signV4(request, prefixed))).toBeNull()
  })

  it('is refused by a clock that is off, by another region and with another token', async () => {
    const request = asking('/model/a/invoke')
    const headers = await signV4(request, SCOPE)
    expect(judged(request, { ...SCOPE, nowMs: NOW + 600_000 }, headers)?.message).toContain('Signature expired')
    expect(judged(request, { ...SCOPE, nowMs: NOW - 600_000 }, headers)?.message).toContain('not yet current')
    expect(judged(request, { ...SCOPE, region: 'us-east-1' }, headers)?.type).toBe('InvalidSignatureException')
    const other = { ...SCOPE, keys: { ...KEYS, sessionToken: 'x' } }
    expect(judged(request, other, headers)?.type).toBe('UnrecognizedClientException')
  })

  it('equals what the SDK signs for 1,000 random requests, in signature and headers', async () => {
    for (let i = 0; i < 1000; i++) {
      const id = randomBytes(1 + (i % 20)).toString(i % 2 === 0 ? 'latin1' : 'base64')
      const request = {
        ...asking(`/model/${encodeURIComponent(id)}/invoke`),
        body: [randomBytes(i % 7), randomBytes(i)],
      }
      const scope = { ...SCOPE, keys: { ...KEYS, sessionToken: i % 3 === 0 ? 'token' : null } }
      expect(await signV4(request, scope)).toEqual(await signedBySdk(request, scope))
    }
  })

  it('names the service that a host is signed for', () => {
    expect(signingServiceOf(SCOPE.baseUrl)).toBe('bedrock')
    expect(signingServiceOf('https://bedrock-mantle.us-east-1.api.aws')).toBe('bedrock-mantle')
  })
})

const EXAMPLE_HEADERS = { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' }
const EMPTY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

function asking(path: string): UpstreamRequest {
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', 'user-agent': 'x', 'x-amzn-bedrock-trace': 'ENABLED' },
    body: [Buffer.from('{"max_tokens":'), Buffer.from('1}')],
  }
}

/** What AWS makes of it: as it goes out below the base URL. */
function judged({ method, path, headers, body }: UpstreamRequest, scope: SigningScope, signed: Record<string, string>) {
  const { host, pathname } = new URL(scope.baseUrl)
  const arrived = {
    method,
    target: (pathname === '/' ? '' : pathname) + path,
    headers: { ...headers, ...signed, host },
    body: Buffer.concat(body),
  }
  return verifySigV4(arrived, { ...scope, keysOf: (id) => (id === KEYS.accessKeyId ? scope.keys : undefined) })
}

async function signedBySdk({ method, path, headers, body }: UpstreamRequest, scope: SigningScope) {
  const { sessionToken } = scope.keys
  const signer = new SignatureV4({
    ...scope,
    credentials: { ...KEYS, ...(sessionToken !== null && { sessionToken }) },
    sha256: Sha256,
  })
  const { host, hostname } = new URL(scope.baseUrl)
  const { 'user-agent': _agent, ...others } = headers
  const request = {
    method,
    protocol: 'https:',
    hostname,
    path,
    headers: { ...others, host },
    body: Buffer.concat(body),
  }
  const signed = await signer.sign(request, { signingDate: new Date(scope.nowMs) })
  return Object.fromEntries(Object.entries(signed.headers).filter(([name]) => !(name in headers) && name !== 'host'))
}
