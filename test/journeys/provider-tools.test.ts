/** Tools that the provider runs by itself, on every wire: refused without a fee, bounded by what is left, charged by the call. */
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatUsd, nanoUsd, parseUsd } from '../../src/core/money.ts'
import { type AttackedGateway, attackedGateway } from '../attacks/attacked-gateway.ts'
import { scriptedUpstream } from '../support/scripted-upstream.ts'

const ONLY_TOKENS = { input: '1', output: '10' }
/** Nano-USD for a search. */
const FEE = 10_000_000n
const PRICED = { ...ONLY_TOKENS, per_call: { web_search: '0.01', web_fetch: '0' } }
/** An order whose pages are so short that searches are nearly all that it costs. */
const SEARCH_50 = 'Search 50 times. Pages of 1 tokens. Write 10 words.'

const UNSUPPORTED =
  '{"error":{"message":"Unsupported parameter: \'max_tool_calls\' is not supported with this model.","type":"invalid_request_error","param":"max_tool_calls","code":"unsupported_parameter"}}'
const RESPONSE =
  '{"id":"r","object":"response","status":"completed","output":[{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search"}},{"id":"m_1","type":"message","role":"assistant","content":[{"type":"output_text","text":"Hello","annotations":[]}]}],"usage":{"input_tokens":10,"output_tokens":5,"total_tokens":15}}'

let strict: AttackedGateway
let lenient: AttackedGateway

beforeAll(async () => {
  strict = await attackedGateway()
  lenient = await attackedGateway('sqlite', { TOLLGATE_UNPRICED_TOOLS: 'allow' })
  for (const gateway of [strict, lenient]) {
    await openModel(gateway, 'unpriced', { price: ONLY_TOKENS })
    await openModel(gateway, 'priced', { price: PRICED })
  }
}, 60_000)
afterAll(async () => {
  await strict.close()
  await lenient.close()
})

async function openModel({ admin, prefix }: AttackedGateway, name: string, fields: object): Promise<string> {
  const targets = ['openai', 'anthropic', 'gemini'].map((protocol) => ({ upstream: prefix + protocol, model: 'plain' }))
  const sizes = { context_tokens: 10_000, max_output_tokens: 1_000 }
  const { id } = await admin.ask<{ id: string }>('POST', '/api/models', {
    name: prefix + name,
    ...sizes,
    targets,
    ...fields,
  })
  return id
}

type Wire = 'messages' | 'responses' | 'chat' | 'gemini'

interface Asked {
  readonly wire: Wire
  readonly model: string
  readonly secret: string
  readonly fields: object
  readonly isStream?: boolean
}

async function call({ origin, prefix }: AttackedGateway, { wire, model, secret, fields, isStream = false }: Asked) {
  const name = prefix + model
  const said = { messages: [{ role: 'user', content: SEARCH_50 }] }
  const ways = {
    messages: ['/v1/messages', { ...said, max_tokens: 100 }],
    responses: ['/v1/responses', { input: SEARCH_50, max_output_tokens: 100 }],
    chat: ['/v1/chat/completions', { ...said, max_completion_tokens: 100 }],
    gemini: [
      `/v1beta/models/${name}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      { contents: [{ parts: [{ text: SEARCH_50 }] }], generationConfig: { maxOutputTokens: 100 } },
    ],
  } as const
  const [path, own] = ways[wire]
  const answer = await fetch(origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'user-agent': secret },
    body: JSON.stringify({ ...(wire === 'gemini' ? {} : { model: name, stream: isStream }), ...own, ...fields }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const TOOLS: Readonly<Record<Wire, object>> = {
  messages: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
  responses: { tools: [{ type: 'web_search' }] },
  chat: { web_search_options: {} },
  gemini: { tools: [{ googleSearch: {} }] },
}
const WIRES = Object.keys(TOOLS) as readonly Wire[]

async function reached(gateway: AttackedGateway, secret: string) {
  await gateway.provider.whenIdle()
  return gateway.provider.ledger.calls.filter(({ headers }) => headers['user-agent'] === secret)
}

interface Item {
  readonly kind: string
  readonly model: string | null
  readonly lacks: readonly string[] | null
}

async function unpricedItem({ admin }: AttackedGateway, model: string): Promise<Item | undefined> {
  const { data } = await admin.ask<{ data: readonly Item[] }>('GET', '/api/attention')
  return data.find((item) => item.kind === 'calls_unpriced' && item.model === model)
}

async function recordsOf({ admin }: AttackedGateway, accountId: string) {
  const path = `/api/usage?account_id=${accountId}`
  return (await admin.ask<{ data: readonly Record<string, unknown>[] }>('GET', path)).data
}

async function balanceOf({ admin }: AttackedGateway, accountId: string): Promise<bigint> {
  const { balance } = await admin.ask<{ balance: string }>('GET', `/api/accounts/${accountId}`)
  return parseUsd(balance)
}

/** A tool of the client's own, as coding agents have beside a search that they offer with every request (Codex). */
const OWN = {
  messages: {
    name: 'exec',
    description: 'Runs',
    input_schema: { type: 'object', properties: {} },
  },
  responses: { type: 'function', name: 'exec', parameters: { type: 'object', properties: {} }, strict: false },
}

describe('a tool without a fee that is offered beside others', () => {
  test.for(['messages', 'responses'] as const)('is left out on %s and named, and the request goes on', async (wire) => {
    const { secret, accountId } = await strict.purse('1')
    const [hosted] = (TOOLS[wire] as { tools: object[] }).tools
    const fields = {
      tools: [OWN[wire], hosted, OWN[wire]],
      tool_choice: wire === 'messages' ? { type: 'auto' } : 'auto',
    }
    const { status, headers } = await call(strict, { wire, model: 'unpriced', secret, fields })
    const type = wire === 'messages' ? 'web_search_20250305' : 'web_search'
    expect([status, headers.get('x-tollgate-dropped-fields')]).toEqual([200, `tools[].${type}`])
    const [sent] = await reached(strict, secret)
    expect(JSON.parse(String(sent?.body))).toMatchObject({ tools: [OWN[wire], OWN[wire]] })
    expect(await recordsOf(strict, accountId)).toMatchObject([{ usage_notes: [] }])
  })

  test('stays where it has a fee, and is refused where it is forced', async () => {
    const { secret } = await strict.purse('1')
    const tools = [OWN.responses, { type: 'web_search' }]
    const kept = await call(strict, { wire: 'responses', model: 'priced', secret, fields: { tools } })
    expect([kept.status, kept.headers.get('x-tollgate-dropped-fields')]).toEqual([200, null])
    const fields = { tools, tool_choice: { type: 'web_search' } }
    const forced = await call(strict, { wire: 'responses', model: 'unpriced', secret, fields })
    expect([forced.status, forced.text.includes('web_search')]).toEqual([400, true])
  })
})

describe('a model without a fee for the tool', () => {
  test.for(WIRES)('refuses it on %s, in that wire’s words, and sends nothing', async (wire) => {
    const { secret, accountId } = await strict.purse('1')
    const { status, headers, text } = await call(strict, { wire, model: 'unpriced', secret, fields: TOOLS[wire] })
    expect([status, headers.get('x-tollgate-fault') ?? headers.get('x-tollgate-error')]).toEqual([
      400,
      'request_invalid',
    ])
    expect(text).toContain(`has no fee for web_search${wire === 'gemini' ? ' or grounded_prompt' : ''} here`)
    expect(text).toContain('or ask an admin to add a fee for web_search')
    expect(await reached(strict, secret)).toEqual([])
    expect(await balanceOf(strict, accountId)).toBe(parseUsd('1'))
  })

  test('stands in attention with what lacks a fee, until there is one', async () => {
    const { admin, prefix } = strict
    const id = await openModel(strict, 'asked', { price: ONLY_TOKENS })
    const { secret } = await strict.purse('1')
    const ask = { wire: 'responses', model: 'asked', secret } as const
    await call(strict, { ...ask, fields: { tools: [{ type: 'web_search' }] } })
    await call(strict, { ...ask, fields: { tools: [{ type: 'image_generation' }] } })
    await expect
      .poll(async () => (await unpricedItem(strict, `${prefix}asked`))?.lacks)
      .toEqual(['web_search', 'image_generation'])
    const half = { ...ONLY_TOKENS, per_call: { web_search: '0' } }
    await admin.ask('PATCH', `/api/models/${id}`, { price: half })
    expect((await unpricedItem(strict, `${prefix}asked`))?.lacks).toEqual(['image_generation'])
    await admin.ask('PATCH', `/api/models/${id}`, {
      price: { ...half, per_call: { ...half.per_call, image_generation: '0.04' } },
    })
    expect(await unpricedItem(strict, `${prefix}asked`)).toBeUndefined()
    expect((await call(strict, { ...ask, fields: TOOLS.responses })).status).toBe(200)
  })

  test('counts the tokens of such a request, which is free', async () => {
    const { secret } = await strict.purse('1')
    const answer = await fetch(`${strict.origin}/v1/messages/count_tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({
        model: `${strict.prefix}unpriced`,
        messages: [{ role: 'user', content: 'x' }],
        ...TOOLS.messages,
      }),
    })
    expect(answer.status).not.toBe(400)
  })

  test('answers where the tool is left behind, since the request is translated', async () => {
    const { admin, prefix } = strict
    const targets = [{ upstream: `${prefix}anthropic`, model: 'plain' }]
    await admin.ask('POST', '/api/models', { name: `${prefix}elsewhere`, price: ONLY_TOKENS, targets })
    const { secret } = await strict.purse('1')
    const tools = [{ type: 'web_search' }, { type: 'function', name: 'f', parameters: { type: 'object' } }]
    const { status, headers } = await call(strict, { wire: 'responses', model: 'elsewhere', secret, fields: { tools } })
    expect([status, headers.get('x-tollgate-dropped-fields')]).toEqual([200, expect.stringContaining('web_search')])
  })

  test.for(WIRES)(
    'where the setting lets it pass on %s charges the tokens, says so, and stands in attention',
    async (wire) => {
      const { secret, accountId } = await lenient.purse('1')
      expect((await call(lenient, { wire, model: 'unpriced', secret, fields: TOOLS[wire] })).status).toBe(200)
      const [billed] = await reached(lenient, secret)
      const tokens = BigInt(billed?.input ?? 0) * 1_000n + BigInt(billed?.output ?? 0) * 10_000n
      const [record] = await recordsOf(lenient, accountId)
      expect(record).toMatchObject({ cost: formatUsd(nanoUsd(tokens)), usage_notes: ['calls_unpriced'] })
      expect(record?.['calls']).toMatchObject({ web_search: 50 })
      expect((await unpricedItem(lenient, `${lenient.prefix}unpriced`))?.lacks).toContain('web_search')
    },
  )
})

const BOUNDED = ['messages', 'responses'] as const

/** The bound that the provider was sent. */
function boundIn(body: Buffer): unknown {
  const sent = JSON.parse(body.toString()) as { max_tool_calls?: number; tools?: { max_uses?: number }[] }
  return sent.max_tool_calls ?? sent.tools?.[0]?.max_uses
}

describe.for(BOUNDED)('on %s', (wire) => {
  const named = (count: number): object =>
    wire === 'messages'
      ? { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: count }] }
      : { ...TOOLS.responses, max_tool_calls: count }

  test.for([false, true])('fifty searches cost fifty fees (streamed: %s)', async (isStream) => {
    const { secret, accountId } = await strict.purse('5')
    const { status, headers } = await call(strict, { wire, model: 'priced', secret, isStream, fields: TOOLS[wire] })
    expect([status, headers.get('x-tollgate-call-limit')]).toEqual([200, '100'])
    const [billed] = await reached(strict, secret)
    expect(boundIn(billed?.body ?? Buffer.from('{}'))).toBe(100)
    const tokens = BigInt(billed?.input ?? 0) * 1_000n + BigInt(billed?.output ?? 0) * 10_000n
    expect(await balanceOf(strict, accountId)).toBe(parseUsd('5') - tokens - 50n * FEE)
  })

  test('a bound that is named and paid for goes out as it came', async () => {
    const { secret, accountId } = await strict.purse('5')
    const { headers } = await call(strict, { wire, model: 'priced', secret, fields: named(2) })
    expect(headers.get('x-tollgate-call-limit')).toBeNull()
    const [billed] = await reached(strict, secret)
    expect(boundIn(billed?.body ?? Buffer.from('{}'))).toBe(2)
    const [record] = await recordsOf(strict, accountId)
    expect(record?.['calls']).toEqual({ web_search: 2 })
  })

  test.for([
    ['a balance', '0.05', {}],
    ['a quota', '5', { quota_limit: '0.05' }],
    ['a spend window', '5', { rate_limit: { spend: [{ window: '5h', usd: '0.05' }] } }],
  ] as const)('%s of $0.05 is passed by no search, named or not, twenty at once', async ([, balance, key]) => {
    for (const fields of [TOOLS[wire], named(50)]) {
      const { secret, accountId } = await strict.purse(balance, key)
      const asked = { wire, model: 'priced', secret, fields } as const
      const answers = await Promise.all(Array.from({ length: 20 }, () => call(strict, asked)))
      const billed = await reached(strict, secret)
      const searches = billed.reduce((sum, { calls }) => sum + calls.webSearch, 0)
      expect(searches).toBeGreaterThan(0)
      expect(BigInt(searches) * FEE).toBeLessThanOrEqual(parseUsd('0.05'))
      expect(parseUsd(balance) - (await balanceOf(strict, accountId))).toBeLessThanOrEqual(parseUsd('0.05'))
      const limits = answers
        .filter(({ status }) => status === 200)
        .map(({ headers }) => headers.get('x-tollgate-call-limit'))
      expect(limits).not.toContain(null)
      expect(answers.filter(({ status }) => ![200, 402, 429].includes(status))).toEqual([])
    }
  })

  test('with less than a search there is nothing to do', async () => {
    const { secret } = await strict.purse('0.009')
    expect((await call(strict, { wire, model: 'priced', secret, fields: TOOLS[wire] })).status).toBe(402)
    expect(await reached(strict, secret)).toEqual([])
  })
})

test('what a provider charges for its tools is in what a request costs there, also where they are sold for nothing', async () => {
  const { admin, prefix } = strict
  const cost = { ...ONLY_TOKENS, per_call: { web_search: '0.008' } }
  const targets = [{ upstream: `${prefix}openai`, model: 'plain', cost }]
  const price = { ...ONLY_TOKENS, per_call: { web_search: '0' } }
  await admin.ask('POST', '/api/models', { name: `${prefix}given`, price, targets })
  const { secret, accountId } = await strict.purse('5')
  await call(strict, { wire: 'responses', model: 'given', secret, fields: TOOLS.responses })
  const [record] = await recordsOf(strict, accountId)
  const paid = parseUsd(String(record?.['provider_cost'])) - parseUsd(String(record?.['cost']))
  expect(paid).toBe(50n * 8_000_000n)
})

test('an upstream that takes no bound is asked again without the one that the gateway added', async () => {
  const arrived: Record<string, unknown>[] = []
  const upstream = await scriptedUpstream((request, response) => {
    void json(request).then((body) => {
      const asked = body as Record<string, unknown>
      arrived.push(asked)
      const isRefused = 'max_tool_calls' in asked
      response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' })
      return response.end(isRefused ? UNSUPPORTED : RESPONSE)
    })
  })
  const { admin, prefix } = strict
  const base_url = `http://127.0.0.1:${upstream.port}/v1`
  await admin.ask('POST', '/api/upstreams', { name: `${prefix}odd`, protocol: 'openai', base_url, credential: 'c' })
  const targets = [{ upstream: `${prefix}odd`, model: 'grok' }]
  await admin.ask('POST', '/api/models', { name: `${prefix}odd`, price: PRICED, targets })
  const { secret, accountId } = await strict.purse('5')
  const ask = { wire: 'responses', model: 'odd', secret } as const
  expect((await call(strict, { ...ask, fields: TOOLS.responses })).status).toBe(200)
  expect(arrived.map((body) => body['max_tool_calls'])).toEqual([100, undefined])
  const [record] = await recordsOf(strict, accountId)
  expect(record?.['calls']).toEqual({ web_search: 1 })
  // What the client itself asks for is its own.
  expect((await call(strict, { ...ask, fields: { ...TOOLS.responses, max_tool_calls: 3 } })).status).toBe(400)
  upstream.close()
})

test('the books are exact after all of it', async () => {
  expect([await strict.checkLedger(), await lenient.checkLedger()]).toEqual([null, null])
})
