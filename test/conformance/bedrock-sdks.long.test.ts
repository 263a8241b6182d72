import { randomBytes, randomInt } from 'node:crypto'
import { AnthropicBedrock } from '@anthropic-ai/bedrock-sdk'
import {
  BedrockRuntimeClient,
  CountTokensCommand,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime'
import { expect, test } from 'vitest'
import { signV4 } from '../../src/upstreams/credentials/sign-v4.ts'
import type { UpstreamRequest } from '../../src/upstreams/upstream-client.ts'
import { bedrock } from '../../src/upstreams/dialects/bedrock/bedrock.ts'

/** Oracles: what the vendors' own SDKs send to Bedrock for the same, and sign. */

const REGION = 'eu-west-1'
const BASE_URL = `https://bedrock-runtime.${REGION}.amazonaws.com`
const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a/secret+key', sessionToken: 'token=' }
const DIALECT = bedrock({ protocol: 'anthropic', baseUrl: BASE_URL, region: null, apiVersion: null })
const ROUNDS = 1_000

interface Sent {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

test('1,000 random requests go out as those of @anthropic-ai/bedrock-sdk, signed alike', async () => {
  let sent: Sent | undefined
  const client = new AnthropicBedrock({
    awsAccessKey: KEYS.accessKeyId,
    awsSecretKey: KEYS.secretAccessKey,
    awsSessionToken: KEYS.sessionToken,
    awsRegion: REGION,
    maxRetries: 0,
    fetch: async (url, init) => {
      const { pathname, search } = new URL(new Request(url).url)
      const headers = Object.fromEntries(new Headers(init?.headers).entries())
      sent = {
        method: init?.method ?? '',
        target: pathname + search,
        headers,
        body: typeof init?.body === 'string' ? init.body : '',
      }
      return new Response('{"type":"message","content":[]}', { headers: { 'content-type': 'application/json' } })
    },
  })
  for (let round = 0; round < ROUNDS; round++) {
    const { model, stream, betas, body } = randomRequest()
    const headers = round % 5 === 0 ? { 'anthropic-user-profile-id': `profile_${round}` } : {}
    await client.beta.messages
      .create({ ...body, model, stream, ...(betas.length > 0 && { betas }) } as never, { headers })
      .catch(ignored)
    const theirs = sent ?? expect.fail('nothing was sent')
    const ours = await signedOurs({ model, stream, betas, body, headers }, theirs)
    // Stated: they leave colons as they are, which AWS' own SDKs and we encode.
    expect(ours.target).toBe(theirs.target.replaceAll(':', '%3A'))
    // Stated: they name the version of the header, which Bedrock knows for its newest models alone.
    const { anthropic_version: version, ...rest } = JSON.parse(theirs.body) as Record<string, unknown>
    expect(version).toBe('2026-10-21')
    expect(JSON.parse(ours.body)).toEqual({ ...rest, anthropic_version: 'bedrock-2023-05-31' })
    for (const name of ['accept', 'content-type', 'x-amz-date', 'x-amz-security-token']) {
      expect(ours.headers[name], name).toBe(theirs.headers[name])
    }
  }
})

test('1,000 random invocations, streams and counts go out as those of @aws-sdk/client-bedrock-runtime, signed alike', async () => {
  let sent: Sent | undefined
  const client = new BedrockRuntimeClient({
    region: REGION,
    credentials: KEYS,
    maxAttempts: 1,
    requestHandler: {
      handle(request: { method: string; path: string; headers: Record<string, string>; body: Uint8Array | string }) {
        const body = typeof request.body === 'string' ? request.body : Buffer.from(request.body).toString()
        sent = { method: request.method, target: request.path, headers: request.headers, body }
        return Promise.reject(new Error('captured'))
      },
    } as never,
  })
  // What the SDK adds for itself is taken out before it signs, so that what is signed can be compared.
  const bare = (next: (given: Given) => unknown) => (given: Given) => {
    const { host = '', 'content-type': type = '' } = given.request.headers
    given.request.headers = { host, 'content-type': type }
    return next(given)
  }
  client.middlewareStack.addRelativeTo(bare as never, { relation: 'after', toMiddleware: 'retryMiddleware' })
  for (let round = 0; round < ROUNDS; round++) {
    const { model, stream, body } = randomRequest()
    const form = round % 3 === 0 ? 'count_tokens' : stream ? 'stream' : 'whole'
    const modelId = form === 'count_tokens' ? 'anthropic.claude-x-v1:0' : model
    // The bytes that we make of the client's body: what is compared is how they are sent.
    const written = oursOf({ model: modelId, form, betas: [], body })
    const invocation = { modelId, contentType: 'application/json', body: written.inner }
    const command =
      form === 'count_tokens'
        ? new CountTokensCommand({ modelId, input: { invokeModel: { body: new TextEncoder().encode(written.inner) } } })
        : form === 'stream'
          ? new InvokeModelWithResponseStreamCommand(invocation)
          : new InvokeModelCommand(invocation)
    await client.send(command as InvokeModelCommand).catch(ignored)
    const theirs = sent ?? expect.fail('nothing was sent')
    expect(written.request.path).toBe(theirs.target)
    expect(Buffer.concat(written.request.body).toString()).toBe(theirs.body)
    const signed = await signV4(written.request, scopeAt(theirs))
    for (const [name, value] of Object.entries(signed)) expect(theirs.headers[name], name).toBe(value)
  }
})

interface Given {
  readonly request: { headers: Record<string, string> }
}

interface Asked {
  readonly model: string
  readonly betas: readonly string[]
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

/** What the gateway sends for a client's request, signed at the time that the SDK signed at. */
async function signedOurs({ stream, ...asked }: Asked & { readonly stream: boolean }, theirs: Sent): Promise<Sent> {
  const { request, inner } = oursOf({ ...asked, form: stream ? 'stream' : 'whole' })
  const headers = { ...request.headers, ...(await signV4(request, scopeAt(theirs))) }
  return { method: 'POST', target: request.path, headers, body: inner }
}

function oursOf({
  model,
  form,
  betas,
  body,
  headers = {},
}: Asked & { readonly form: 'whole' | 'stream' | 'count_tokens' }) {
  const client: UpstreamRequest = {
    method: 'POST',
    path: form === 'count_tokens' ? '/messages/count_tokens' : '/messages?beta=true',
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2026-10-21',
      ...headers,
      ...(betas.length > 0 && { 'anthropic-beta': betas.join(',') }),
    },
    body: [
      Buffer.from(JSON.stringify({ model, ...body, ...(form !== 'count_tokens' && { stream: form === 'stream' }) })),
    ],
    asks: { wire: 'anthropic-messages', model, form },
  }
  const request = DIALECT.outbound(client)
  const text = Buffer.concat(request.body).toString()
  if (form !== 'count_tokens') return { request, inner: text }
  const { input } = JSON.parse(text) as { input: { invokeModel: { body: string } } }
  return { request, inner: Buffer.from(input.invokeModel.body, 'base64').toString() }
}

function scopeAt({ headers }: Sent) {
  const date = headers['x-amz-date'] ?? ''
  const iso = date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  return { baseUrl: BASE_URL, region: REGION, service: 'bedrock', keys: KEYS, nowMs: Date.parse(iso) }
}

function randomRequest() {
  const ids = [
    'anthropic.claude-sonnet-4-5-20250929-v1:0',
    'eu.anthropic.claude-haiku-4-5-20251001-v1:0',
    `arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/${randomBytes(6).toString('hex')}`,
    `anthropic.${randomBytes(5).toString('base64url')}`,
  ]
  const betas = ['context-1m-2025-08-07', 'interleaved-thinking-2025-05-14', 'effort-2025-11-24'].filter(
    () => randomInt(2) === 0,
  )
  return {
    model: ids[randomInt(ids.length)] ?? '',
    stream: randomInt(2) === 0,
    betas,
    body: {
      max_tokens: randomInt(1, 10_000),
      messages: [
        { role: 'user', content: randomBytes(randomInt(200)).toString(randomInt(2) === 0 ? 'latin1' : 'base64') },
      ],
      ...(randomInt(2) === 0 && { temperature: Math.random() }),
      ...(randomInt(2) === 0 && { system: 'é "quoted" \\ 中文\n' }),
      ...(randomInt(2) === 0 && { tools: [{ name: 'a', input_schema: { type: 'object', properties: {} } }] }),
      ...(randomInt(2) === 0 && { stop_sequences: ['\u2028'] }),
    },
  }
}

/** The answers do not matter, and are not good ones. */
function ignored(): void {}
