import { describe, expect, test } from 'vitest'
import { baseUrlOf } from '../../src/routing/upstream-settings.ts'
import { ImportNotes, type PlannedUpstream } from '../../src/import/import-plan.ts'
import { planChannels } from '../../src/import/new-api/channels.ts'
import { readGroups } from '../../src/import/new-api/groups.ts'
import type { Row } from '../../src/import/source.ts'
import { RequestWriter } from '../../src/upstreams/http/request-writer.ts'
import { CHANNEL_URLS, GIVEN } from '../support/import-sources/channel-urls.ts'
import { rowsInMemory } from '../support/import-sources/rows-in-memory.ts'

type Product = keyof typeof CHANNEL_URLS

const CHANNEL = { id: '7', name: 'channel', key: 'sk-a', status: '1', models: 'gpt-x', group: 'default' }
/** The path of a chat below the base URL, in each protocol. */
const CHAT_PATHS = {
  openai: '/chat/completions',
  'openai-chat': '/chat/completions',
  anthropic: '/messages',
  gemini: '/models/gpt-x:generateContent',
  converse: '/model/gpt-x/converse',
}

async function planned(product: Product, row: Row) {
  const notes = new ImportNotes()
  const groups = readGroups(new Map(), { product, userGroups: new Set(), notes })
  const source = rowsInMemory({ channels: [{ ...CHANNEL, ...row }] })
  const plan = await planChannels(source, { product, groups, geminiVersion: null, notes })
  const named = notes.notes
    .filter(({ table, ids }) => table === 'channels' && ids.includes('7'))
    .map(({ what }) => what)
  return { ...plan, named }
}

/** What a request for a chat is written to, by what writes requests to upstreams; null: the channel serves nothing. */
async function askedAt(product: Product, row: Row): Promise<{ url: string | null; named: readonly string[] }> {
  const { upstreams, served, named } = await planned(product, row)
  const [upstream] = upstreams
  if (upstream === undefined || served.length === 0) return { url: null, named }
  // A cloud is asked by its dialect, as `src/import/new-api/clouds.test.ts` has it.
  if (upstream.dialect !== undefined) return { url: null, named: [upstream.dialect] }
  return { url: writtenTo(upstream), named }
}

function writtenTo(upstream: PlannedUpstream): string {
  const baseUrl = baseUrlOf(upstream)
  const path = CHAT_PATHS[upstream.protocol]
  const [head] = new RequestWriter(baseUrl, upstream.headers).write({ method: 'POST', path, headers: {}, body: [] })
  const [, target, host] = /^POST (\S+) HTTP\/1\.1\r\nhost: (\S+)\r\n/.exec(head?.toString('latin1') ?? '') ?? []
  return `${new URL(baseUrl).protocol}//${host}${target}`
}

const CASES = (Object.keys(CHANNEL_URLS) as Product[]).flatMap((product) =>
  Object.entries(CHANNEL_URLS[product]).flatMap(([type, { usual, given, more }]) => [
    { product, type, base_url: '', url: usual, more },
    { product, type, base_url: GIVEN, url: given, more },
    { product, type, base_url: `${GIVEN}/`, url: given, more },
  ]),
)

describe('a chat goes where the product sends it', () => {
  test.for(CASES)('$product, type $type, base "$base_url"', async ({ product, type, base_url, url, more }) => {
    const asked = await askedAt(product, { type, base_url, ...more })
    expect(asked.url).toBe(url)
    // What is not asked as it was is named.
    if (url === null) expect(asked.named).not.toEqual([])
  })

  test('every type up to the last of each product is in the table, but numbers that were never given out', () => {
    const numbers = (product: Product) => Object.keys(CHANNEL_URLS[product]).map(Number)
    expect(numbers('one-api')).toEqual(Array.from({ length: 51 }, (_, i) => i + 1))
    const neverGiven = [28, 29, 30, 32]
    expect(numbers('new-api')).toEqual(
      Array.from({ length: 59 }, (_, i) => i + 1).filter((number) => !neverGiven.includes(number)),
    )
  })
})

test('headers that a channel adds in capitals are written to its upstream', async () => {
  const { upstreams } = await planned('new-api', { type: '1', base_url: GIVEN, header_override: '{"X-House":"yes"}' })
  const [upstream] = upstreams
  if (upstream === undefined) throw new Error('none was made of the channel')
  const writer = new RequestWriter(upstream.baseUrl, upstream.headers)
  const [head] = writer.write({ method: 'POST', path: '/chat/completions', headers: {}, body: [] })
  expect(head?.toString('latin1')).toContain('x-house: yes\r\n')
})

describe('the whole address of a custom channel of new-api', () => {
  test.for([
    // From QuantumNous/new-api#853: an API without /v1 in its paths.
    ['https://x.example.test/v1beta/openai/chat/completions', 'https://x.example.test/v1beta/openai/chat/completions'],
    ['https://x.example.test/full/v1/chat/completions', 'https://x.example.test/full/v1/chat/completions'],
    ['https://x.example.test/chat/completions', 'https://x.example.test/chat/completions'],
    ['https://x.example.test/full/v1/{model}/chat/completions', null],
    ['https://x.example.test/v1/chat/completions/', null],
    ['https://x.example.test/v1', null],
    ['https://x.example.test/v1/chat/completions?api-version=1', null],
    ['not an address', null],
    ['', null],
  ] as const)('%s', async ([base_url, url]) => {
    const asked = await askedAt('new-api', { type: '8', base_url })
    expect(asked.url).toBe(url)
    if (url === null) expect(asked.named).not.toEqual([])
  })

  test('is a base in one-api', async () => {
    const { url } = await askedAt('one-api', { type: '8', base_url: 'https://x.example.test/full' })
    expect(url).toBe('https://x.example.test/full/v1/chat/completions')
  })
})

describe('addresses that more than a base and a type say', () => {
  test.for([
    ['glm-coding-plan', '26', 'https://open.bigmodel.cn/api/coding/paas/v4/chat/completions'],
    ['glm-coding-plan-international', '26', 'https://api.z.ai/api/coding/paas/v4/chat/completions'],
    ['kimi-coding-plan', '25', 'https://api.kimi.com/coding/v1/chat/completions'],
    ['doubao-coding-plan', '45', 'https://ark.cn-beijing.volces.com/api/coding/v3/chat/completions'],
  ] as const)('new-api takes %s for a base URL', async ([base_url, type, url]) => {
    expect((await askedAt('new-api', { type, base_url })).url).toBe(url)
  })

  test.for(['new-api', 'one-api'] as const)(
    '%s leaves the version out at Cloudflare’s gateway for OpenAI',
    async (product) => {
      const base_url = 'https://gateway.ai.cloudflare.com/v1/account/gateway/openai'
      expect((await askedAt(product, { type: '1', base_url })).url).toBe(`${base_url}/chat/completions`)
    },
  )

  test('one-api has no account in the paths of Cloudflare’s gateway for its own models', async () => {
    const base_url = 'https://gateway.ai.cloudflare.com/v1/account/gateway/workers-ai'
    expect((await askedAt('one-api', { type: '37', base_url })).url).toBe(`${base_url}/v1/chat/completions`)
  })

  test('a Cloudflare channel without an account is disabled and named', async () => {
    for (const [product, type] of [
      ['one-api', '37'],
      ['new-api', '39'],
    ] as const) {
      const { url, named } = await askedAt(product, { type, base_url: '' })
      expect([url, named.join()]).toEqual([null, expect.stringContaining('name no account')])
    }
  })

  test.for([
    ['gemini-1.5-pro', {}, '/v1beta'],
    ['gemini-2.0-flash', {}, '/v1beta'],
    ['gemini-2.5-pro', {}, '/v1'],
    ['gemini-pro', { config: '{"api_version":"v1alpha"}' }, '/v1alpha'],
    ['nick', { model_mapping: '{"nick":"gemini-2.0-flash"}' }, '/v1beta'],
  ] as const)(
    'one-api asks Gemini’s API for %s at the version of the model or the channel',
    async ([models, more, path]) => {
      const { upstreams } = await planned('one-api', { type: '24', base_url: GIVEN, models, ...more })
      expect(upstreams[0]?.baseUrl).toBe(GIVEN + path)
    },
  )

  test('a channel of OpenAI’s type is a Responses upstream at OpenAI alone', async () => {
    const protocolAt = async (product: Product, base_url: string) =>
      (await planned(product, { type: '1', base_url })).upstreams[0]?.protocol
    for (const product of ['new-api', 'one-api'] as const) {
      expect(await protocolAt(product, '')).toBe('openai')
      expect(await protocolAt(product, 'https://api.openai.com/')).toBe('openai')
      for (const relay of [
        'https://relay.example.test',
        'https://api.openai.com.example.test',
        'http://127.0.0.1:3000',
      ])
        expect(await protocolAt(product, relay)).toBe('openai-chat')
    }
  })

  test('bots of VolcEngine, which have an address of their own, are not served, and are named', async () => {
    const { served, named } = await planned('new-api', { type: '45', base_url: '', models: 'bot-1,doubao-pro' })
    expect(served.map(({ name }) => name)).toEqual(['doubao-pro'])
    expect(named.join()).toContain('ask bots at an address of their own')
  })

  test('a key of Baidu with an app id behind it is disabled and named', async () => {
    const { upstreams, named } = await planned('new-api', { type: '46', base_url: '', key: 'token|app-1' })
    expect(upstreams[0]?.credentials).toMatchObject([{ isDisabled: true }])
    expect(named.join()).toContain('have an app id in their key')
  })
})
