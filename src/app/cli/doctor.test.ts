import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RequestListener, Server } from 'node:http'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { explainedFault } from '../../causes/explained-fault.ts'
import type { FaultFacts } from '../../core/fact-values.ts'
import { FAULT_TEXTS } from '../../core/fault-texts.ts'
import type { FaultCode } from '../../core/faults.ts'
import { plainMessage } from '../../core/plain-fault.ts'
import { STORE_FAILURE_TEXTS, STORE_FAILURES } from '../../core/store-failures.ts'
import { runCommandLine } from './command-line.ts'
import type { CliHost } from './cli-host.ts'

const key = 'ada-laptop-2f9c61d07b3e'
let server: Server | null = null

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = null
})

/** Serves on a free port and returns the origin. */
function serve(listener: RequestListener): Promise<string> {
  const listening = createServer(listener)
  server = listening
  return new Promise((resolve) => {
    listening.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(listening.address() as AddressInfo).port}`))
  })
}

function doctor(...args: string[]) {
  return doctorIn({}, ...args)
}

async function doctorIn(environment: Record<string, string>, ...args: string[]) {
  const said: string[] = []
  const host: CliHost = {
    environment,
    input: (async function* () {})(),
    print: (text) => void said.push(text),
    printExactly: (text) => void said.push(text),
    remark: (text) => void said.push(text),
    isTerminal: false,
    openStore: () => Promise.reject(new Error('the doctor needs no database')),
    nowMs: () => Date.now(),
    randomBytes: () => Buffer.alloc(0),
    machine: 'here',
    processId: 1,
    onStopSignal: () => () => {},
    endBy: () => {},
    onHangUp: () => {},
    exit: () => {},
  }
  const code = await runCommandLine(['doctor', ...args], host)
  return { code, text: said.join('') }
}

const models = {
  data: [
    { id: 'only-embeds', supported_protocols: ['openai-embeddings'] },
    { id: 'demo/echo', supported_protocols: ['anthropic-messages'] },
  ],
}

test('a gateway that works is reported as such, whichever base URL was given', async () => {
  const seen: string[] = []
  const origin = await serve((request, response) => {
    if (request.url === '/readyz') return response.end('{"status":"ready"}')
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    response.writeHead(200, { 'x-request-id': 'req_1', 'x-tollgate-cost': '0.000012' })
    response.end(JSON.stringify(request.method === 'GET' ? models : {}))
  })
  for (const base of [origin, `${origin}/v1`, `${origin}/v1/`]) {
    const { code, text } = await doctor('--base-url', base, '--key', key)
    expect(text).toContain('demo/echo answered')
    expect(text).toContain('for $0.000012')
    expect(text).toContain('Everything works.')
    expect(code).toBe(0)
  }
  expect(new Set(seen)).toEqual(new Set([`GET /v1/models Bearer ${key}`, `POST /v1/messages Bearer ${key}`]))
})

test('a fault is named with its row, the gateway’s message and the remedy', async () => {
  const origin = await serve((_request, response) => {
    response.writeHead(401, { 'x-request-id': 'req_7', 'x-tollgate-fault': 'key_expired' })
    response.end('{"error":{"message":"The key expired yesterday."}}')
  })
  const { code, text } = await doctor('--base-url', origin, '--key', key)
  expect(text).toContain('key_expired (HTTP 401): The key expired yesterday.')
  expect(text).toContain(`${FAULT_TEXTS.key_expired.doctor} (request req_7)`)
  expect(code).toBe(1)
})

test('a cloud’s refusal in the gateway’s message is named with its remedy', async () => {
  const error = { message: "You don't have access to the model with the specified model ID." }
  const fault = { 'x-tollgate-fault': 'upstream_rejected' }
  const origin = await serve((_, response) => response.writeHead(400, fault).end(JSON.stringify({ error })))
  const { text } = await doctor('--base-url', origin, '--key', key)
  expect(text).toContain('The AWS account has no access to this model in this region. Request it under Model access')
})

test('advice on a misconfigured upstream agrees with the gateway’s message, and asks for no retry', async () => {
  const message = 'The model cannot be reached because its upstream is misconfigured. An admin has to fix it.'
  const origin = await serve((_request, response) => {
    response.writeHead(502, { 'x-request-id': 'req_7', 'x-tollgate-fault': 'upstream_unavailable' })
    response.end(JSON.stringify({ error: { message } }))
  })
  const { text } = await doctor('--base-url', origin, '--key', key)
  expect(text).toContain(message)
  expect(text).toMatch(/Check the upstream’s credential, model names, base URL and network/)
  expect(text).not.toMatch(/try again/i)
})

test('a key that can call no model gets the reason with its group, without a model being named', async () => {
  const message = 'The group "members" of this API key is disabled.'
  const origin = await serve((request, response) => {
    response.writeHead(200, { 'x-request-id': 'req_1' })
    const usage = { is_valid: false, reason: 'group_disabled', invalid_message: message }
    response.end(JSON.stringify(request.url === '/v1/usage' ? usage : { data: [] }))
  })
  const { code, text } = await doctor('--base-url', origin, '--key', key)
  expect(text).toContain(`fault      group_disabled: ${message}`)
  expect(text).toContain('Do what the gateway’s message says.')
  expect(code).toBe(1)
})

test.for<[FaultCode, FaultFacts]>([
  ['key_quota_exhausted', { needed_usd: '1', left_usd: '0', limit_usd: '0.5' }],
  ['subscription_quota_exhausted', { needed_usd: '1', left_usd: '0', balance_usd: '0' }],
  ['rate_limited', { limit: 'requests', scope: 'key', max: 0, used: 0 }],
])('no wait is advised for %s where the message says that waiting does not help', async ([fault, facts]) => {
  const { message } = explainedFault(fault, facts)
  const origin = await serve((_request, response) => {
    response.writeHead(429, { 'x-request-id': 'req_7', 'x-tollgate-fault': fault })
    response.end(JSON.stringify({ error: { message } }))
  })
  const { text } = await doctor('--base-url', origin, '--key', key)
  expect(text).toContain(message)
  expect(text).toContain('Do what the gateway’s message says. (request req_7)')
  expect(text).not.toMatch(/\bwait\b/i)
})

test('a message without facts is followed by the remedy of its page', async () => {
  const origin = await serve((_request, response) => {
    response.writeHead(429, { 'x-request-id': 'req_7', 'x-tollgate-fault': 'rate_limited' })
    response.end(JSON.stringify({ error: { message: plainMessage('rate_limited') } }))
  })
  expect((await doctor('--base-url', origin, '--key', key)).text).toContain(
    `${FAULT_TEXTS.rate_limited.remedy} (request req_7)`,
  )
})

test.for([
  ['a page of something else', 200, {}, '<html>', /that is not a Tollgate: check host and port/],
  ['an error of something else', 404, {}, 'nope', /HTTP 404 without a fault code/],
  ['a redirect', 301, { location: 'https://elsewhere.example' }, '', /redirects to https:\/\/elsewhere\.example/],
] as const)('$0 is not taken for a gateway', async ([, status, headers, body, expected]) => {
  const origin = await serve((_request, response) => void response.writeHead(status, headers).end(body))
  const { code, text } = await doctor('--base-url', origin, '--key', key)
  expect(text).toMatch(expected)
  expect(code).toBe(1)
})

test('nothing listening there is said so', async () => {
  const origin = await serve(() => {})
  await new Promise((resolve) => server?.close(resolve))
  const { code, text } = await doctor('--base-url', origin, '--key', key)
  expect(text).toContain('(ECONNREFUSED). Nothing listens at that address.')
  expect(code).toBe(1)
})

test('https where http is spoken is said so', async () => {
  const origin = await serve(() => {})
  const { text } = await doctor('--base-url', origin.replace('http:', 'https:'), '--key', key)
  expect(text).toMatch(/Use http:\/\/ instead of https:\/\/|does not speak HTTP, or expects https/)
})

test.for([
  ['/v1/chat/completions', /base_url_wrong: .* enter http:\/\/127\.0\.0\.1:1\/v1/],
  ['/anthropic', /base_url_wrong/],
  ['/v1beta', /or http:\/\/127\.0\.0\.1:1 \(Anthropic and Gemini clients\)/],
  ['/v1?x=1', /no user name, query or fragment/],
] as const)('a base URL that ends in %s is refused with the one that was meant', async ([path, expected]) => {
  const { code, text } = await doctor('--base-url', `http://127.0.0.1:1${path}`, '--key', key)
  expect(text).toMatch(expected)
  expect(code).toBe(1)
})

test('a base URL without a scheme is refused with one', async () => {
  const { code, text } = await doctor('--base-url', '127.0.0.1:8787', '--key', key)
  expect(text).toContain('it must be an http or https URL such as http://127.0.0.1:8787')
  expect(code).toBe(2)
})

test('a broken key is reported without a request, and not repeated', async () => {
  const broken = 'sk-tg-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd073B'
  const { code, text } = await doctor('--base-url', 'http://127.0.0.1:1', '--key', broken)
  expect(text).toContain('key_malformed: The API key ending in 073B is incomplete: 2 characters missing')
  expect(text).not.toContain('0123456789')
  expect(code).toBe(1)
})

test('a model is called over the protocol that was named, Google’s included', async () => {
  const seen: string[] = []
  const origin = await serve((request, response) => {
    if (request.url !== '/readyz')
      seen.push(`${request.method} ${request.url} ${String(request.headers['x-goog-api-key'] ?? '')}`)
    response.writeHead(200, { 'x-request-id': 'req_1' })
    const listed = { data: [{ id: 'demo/a b', supported_protocols: ['openai-chat', 'gemini'] }] }
    response.end(JSON.stringify(request.method === 'GET' ? listed : {}))
  })
  const { code, text } = await doctor('--base-url', origin, '--key', key, '--protocol', 'gemini')
  expect(text).toContain('demo/a b answered over gemini')
  expect(text).toContain(`Anthropic and Gemini clients: ${origin}`)
  expect(seen).toEqual(['GET /v1/models ', `POST /v1beta/models/demo/a%20b:generateContent ${key}`])
  expect(code).toBe(0)
})

test.for([
  ['anthropic-messages', /can call no model over anthropic-messages/, 1],
  [
    'smtp',
    /--protocol is "smtp", but it must be one of openai-chat, anthropic-messages, openai-responses, gemini\./,
    2,
  ],
] as const)('%s is refused where no model is called over it', async ([protocol, expected, exit]) => {
  const origin = await serve((_request, response) => {
    response.writeHead(200, { 'x-request-id': 'req_1' })
    response.end(JSON.stringify({ data: [{ id: 'a', supported_protocols: ['openai-chat'] }] }))
  })
  const { code, text } = await doctor('--base-url', origin, '--key', key, '--protocol', protocol)
  expect(text).toMatch(expected)
  expect(code).toBe(exit)
})

test('a key that ps shows is warned of, and one from the environment is not shown', async () => {
  const base = ['--base-url', 'http://127.0.0.1:1']
  expect((await doctor(...base, '--key', key)).text).toContain('set TOLLGATE_API_KEY instead')
  const quiet = await doctorIn({ TOLLGATE_API_KEY: key }, ...base)
  expect(quiet.code).toBe(1)
  expect(quiet.text).not.toContain('ps shows it')
})

/** A gateway whose models answer with a status of their own, and what was asked of it. */
async function gatewayOf(listed: readonly object[], answers: Readonly<Record<string, readonly [number, string]>>) {
  const asked: string[] = []
  const origin = await serve((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => void parts.push(part))
    request.on('end', () => {
      if (request.method === 'GET') {
        response.writeHead(200, { 'x-request-id': 'req_1' }).end(JSON.stringify({ data: listed }))
        return
      }
      const { model } = JSON.parse(Buffer.concat(parts).toString()) as { model: string }
      asked.push(model)
      const [status, fault] = answers[model] ?? [200, '']
      response.writeHead(status, { 'x-request-id': 'req_7', ...(fault === '' ? {} : { 'x-tollgate-fault': fault }) })
      response.end(status === 200 ? '{}' : JSON.stringify({ error: { message: `${model} fails` } }))
    })
  })
  return { origin, asked }
}

const OVER_CHAT = { supported_protocols: ['openai-chat'] }
const REFUSED = [502, 'upstream_unavailable'] as const

test.for<readonly [what: string, listed: readonly object[], called: string, from: string]>([
  [
    'an embedding model comes first in the alphabet',
    [
      { id: 'all-minilm', kind: 'embedding', ...OVER_CHAT },
      { id: 'gpt-5.5', kind: 'chat', ...OVER_CHAT },
    ],
    'gpt-5.5',
    'BerriAI/litellm#5196',
  ],
  [
    'an embedding model is known by its name alone',
    [
      { id: 'gemini-embedding-001', ...OVER_CHAT },
      { id: 'gemini-2.5-flash', ...OVER_CHAT },
    ],
    'gemini-2.5-flash',
    'tbphp/gpt-load#363',
  ],
  [
    'a retired embedding model is listed as one for conversations',
    [
      { id: 'embedding-gecko-001', kind: 'chat', ...OVER_CHAT },
      { id: 'gemini-2.5-flash', kind: 'chat', pricing: { output: '2.5' }, ...OVER_CHAT },
    ],
    'gemini-2.5-flash',
    'moeru-ai/airi#649',
  ],
  [
    'one for conversations costs more than another',
    [
      { id: 'claude-opus', kind: 'chat', pricing: { output: '75' }, ...OVER_CHAT },
      { id: 'claude-haiku', kind: 'chat', pricing: { output: '5' }, ...OVER_CHAT },
    ],
    'claude-haiku',
    'BerriAI/litellm#1202',
  ],
])('where %s, a likely model is called and named', async ([, listed, called]) => {
  const { origin, asked } = await gatewayOf(listed, {})
  const { code, text } = await doctor('--base-url', origin, '--key', key)
  expect(text).toContain(`call       ${called} over openai-chat`)
  expect([code, asked]).toEqual([0, [called]])
})

const FOUR = ['a', 'b', 'c', 'd'].map((id) => ({ id, kind: 'chat', ...OVER_CHAT }))

test('a model that fails for a reason of its own does not fail the key: the next is called, three at most', async () => {
  const one = await gatewayOf(FOUR, { a: REFUSED, b: [400, 'upstream_rejected'] })
  const good = await doctor('--base-url', one.origin, '--key', key)
  expect(good.text).toContain('c answered over openai-chat')
  expect(good.text).toMatch(/call {7}a over .*\nfault {6}upstream_unavailable \(HTTP 502\): a fails/)
  expect([good.code, one.asked]).toEqual([0, ['a', 'b', 'c']])
  server?.close()
  const none = await gatewayOf(FOUR, { a: REFUSED, b: REFUSED, c: REFUSED })
  const bad = await doctor('--base-url', none.origin, '--key', key)
  expect(bad.text).toContain('The gateway takes the key, and none of the models that were called answered.')
  expect([bad.code, none.asked]).toEqual([1, ['a', 'b', 'c']])
})

// felinics/Memoh#1086 had a good key called invalid by what a second, made-up model answered.
test.for(['key_expired', 'balance_exhausted', 'group_disabled', 'rate_limited'])(
  'what concerns the key or its account ends it with the first model: %s',
  async (fault) => {
    const { origin, asked } = await gatewayOf(FOUR, { a: [403, fault] })
    const { code, text } = await doctor('--base-url', origin, '--key', key)
    expect(text).toContain(`${fault} (HTTP 403)`)
    expect([code, asked]).toEqual([1, ['a']])
  },
)

test('a model that was named is called alone', async () => {
  const { origin, asked } = await gatewayOf(FOUR, { b: REFUSED })
  const { code, text } = await doctor('--base-url', origin, '--key', key, '--model', 'b')
  expect(text).toContain('b over openai-chat')
  expect([code, asked]).toEqual([1, ['b']])
})

test.for(STORE_FAILURES)(
  'a gateway that says of itself that it is not ready (%s) is named with the cause',
  async (because) => {
    const origin = await serve((request, response) => {
      if (request.url === '/readyz') {
        response.writeHead(503).end(JSON.stringify({ status: 'store_unavailable', because }))
        return
      }
      const isCall = request.method === 'POST'
      response.writeHead(isCall ? 503 : 200, {
        'x-request-id': 'req_1',
        ...(isCall ? { 'x-tollgate-fault': 'store_unavailable' } : {}),
      })
      response.end(JSON.stringify(isCall ? { error: { message: 'Not now.' } } : models))
    })
    const { code, text } = await doctor('--base-url', origin, '--key', key)
    const { cause, remedy } = STORE_FAILURE_TEXTS[because]
    expect(text).toContain(`ready      no, store_unavailable: ${cause}\n`)
    expect(text).toContain(`${cause} ${remedy} (request req_1)`)
    expect(code).toBe(1)
  },
)

test('what stands in front of the gateway may know nothing of its readiness, or say anything', async () => {
  const answers = ['<html>', '{"status":7}', '{}', '{"status":"ok"}', '']
  for (const answer of answers) {
    const origin = await serve((request, response) => {
      if (request.url === '/readyz') return response.writeHead(503).end(answer)
      response.writeHead(200, { 'x-request-id': 'req_1' })
      response.end(JSON.stringify(request.method === 'GET' ? models : {}))
    })
    const { code, text } = await doctor('--base-url', origin, '--key', key)
    expect([code, text.includes('Everything works.')], answer).toEqual([0, true])
    server?.closeAllConnections()
    server?.close()
  }
})

test('of a gateway of this machine that does not run, what is wrong with its data directory is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-doctor-'))
  try {
    const directory = join(folder, 'a-file')
    writeFileSync(directory, '')
    const environment = { TOLLGATE_DATA_DIR: join(directory, 'data'), TOLLGATE_API_KEY: key }
    const free = await serve(() => {})
    await new Promise((resolve) => server?.close(resolve))
    const { text } = await doctorIn(environment, '--base-url', free)
    expect(text).toMatch(/Its data directory cannot be used, since .+ is not a directory/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
