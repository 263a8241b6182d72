/** Money that is not enough for all that a request may cost, before a provider that honours the limit it is sent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseUsd } from '../../src/core/money.ts'
import { type AttackedGateway, attackedGateway } from '../attacks/attacked-gateway.ts'

/** Nano-USD for a token: $1 a million in, $10 out. */
const INPUT = 1_000n
const OUTPUT = 10_000n
/** A step of output, by which each running request may pass a limit at most. */
const STEP = 1_024n * OUTPUT
/** What is left over where all but some tokens is used. */
const FEW_TOKENS = 12n * OUTPUT
const CONTEXT_TOKENS = 200_000

let gateway: AttackedGateway
let model: string

beforeAll(async () => {
  gateway = await attackedGateway()
  const { admin, prefix } = gateway
  const price = { input: '1', output: '10' }
  const targets = [{ upstream: `${prefix}openai`, model: 'plain' }]
  model = `${prefix}plain`
  await admin.ask('POST', '/api/models', { name: model, price, context_tokens: CONTEXT_TOKENS, targets })
}, 60_000)
afterAll(() => gateway.close())

interface Answered {
  readonly status: number
  readonly limit: number | null
  readonly text: string
}

async function call(secret: string, path: string, fields: object): Promise<Answered> {
  const answer = await fetch(gateway.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'user-agent': secret },
    body: JSON.stringify({ model, ...fields }),
  })
  const limit = answer.headers.get('x-tollgate-output-limit')
  return { status: answer.status, limit: limit === null ? null : Number(limit), text: await answer.text() }
}

const ask = (content: unknown) => ({ messages: [{ role: 'user', content }] })

/** What the provider bills for the calls of one key, and how many there were. */
async function billed(secret: string): Promise<{ cost: bigint; calls: number }> {
  await gateway.provider.whenIdle()
  const calls = gateway.provider.ledger.calls.filter(({ headers }) => headers['user-agent'] === secret)
  const cost = calls.reduce((sum, { input, output }) => sum + BigInt(input) * INPUT + BigInt(output) * OUTPUT, 0n)
  return { cost, calls: calls.length }
}

async function many(count: number, one: () => Promise<Answered>): Promise<readonly Answered[]> {
  return Promise.all(Array.from({ length: count }, one))
}

async function balanceOf(accountId: string): Promise<bigint> {
  const { balance } = await gateway.admin.ask<{ balance: string }>('GET', `/api/accounts/${accountId}`)
  return parseUsd(balance)
}

describe('with any number of requests at once no more is spent than the limit and a step for each', () => {
  test('for streams that think for 20,000 tokens unseen', async () => {
    const { secret, accountId } = await gateway.purse('0.1')
    const fields = { ...ask('Think 20000. Write 20 words.'), stream: true, max_completion_tokens: 30_000 }
    await many(9, () => call(secret, '/v1/chat/completions', fields))
    const { cost, calls } = await billed(secret)
    expect(calls).toBeGreaterThan(0)
    expect(cost).toBeLessThanOrEqual(parseUsd('0.1'))
    expect(await balanceOf(accountId)).toBe(parseUsd('0.1') - cost)
  })

  test('for whole answers of 120,000 tokens', async () => {
    const { secret } = await gateway.purse('0.1')
    const answers = await many(5, () => call(secret, '/v1/chat/completions', ask('Write 120000 words.')))
    expect((await billed(secret)).cost).toBeLessThanOrEqual(parseUsd('0.1'))
    expect(answers.find(({ status }) => status === 200)?.limit).toBeGreaterThan(5_000)
  })

  test('for pictures by their URL, which are refused where they cost more than there is', async () => {
    const { secret } = await gateway.purse('0.02')
    const pictures = Array.from({ length: 250 }, (_, index) => ({
      type: 'image_url',
      image_url: { url: `https://x.test/${index}/1500` },
    }))
    const answers = await many(3, () => call(secret, '/v1/chat/completions', { ...ask(pictures), max_tokens: 16 }))
    expect(answers.map(({ status }) => status)).toEqual([402, 402, 402])
    expect(await billed(secret)).toEqual({ cost: 0n, calls: 0 })
  })

  test('for references to earlier answers, of which one runs at a time', async () => {
    const { secret } = await gateway.purse('0.01')
    const fields = { input: 'Write 10 words.', previous_response_id: 'resp_120000', max_output_tokens: 16 }
    await many(20, () => call(secret, '/v1/responses', fields))
    const { cost, calls } = await billed(secret)
    expect(calls).toBeLessThanOrEqual(1)
    expect(cost).toBeLessThanOrEqual(parseUsd('0.01') + 20n * STEP)
  })

  test('and not for references either where there is enough for all that each may read', async () => {
    const { secret } = await gateway.purse('1')
    const fields = { ...ask('Write 10 words.'), max_tokens: 16 }
    const picture = { type: 'image_url', image_url: { url: 'https://x.test/1/100000' } }
    await many(4, () => call(secret, '/v1/chat/completions', { ...fields, ...ask([picture]) }))
    expect((await billed(secret)).cost).toBeLessThanOrEqual(parseUsd('1'))
  })
})

test('of targets behind the first, too, one that was never seen to keep to a limit is asked by one request at a time', async () => {
  const { admin, prefix } = gateway
  const base_url = `${gateway.provider.url}/v1`
  const first = { name: `${prefix}first`, protocol: 'openai', base_url, credential: 'a-credential' }
  const { id } = await admin.ask<{ id: string }>('POST', '/api/upstreams', first)
  const targets = [
    { upstream: first.name, model: 'plain' },
    { upstream: `${prefix}openai`, model: 'unbounded', priority: 1 },
  ]
  const about = { price: { input: '1', output: '10' }, context_tokens: CONTEXT_TOKENS, max_output_tokens: 64_000 }
  await admin.ask('POST', '/api/models', { name: `${prefix}behind`, ...about, targets })
  const fields = { ...ask('Write 9000 words. Wait 300 ms.'), max_tokens: 64, model: `${prefix}behind` }
  const { secret: known } = await gateway.purse('10')
  expect((await call(known, '/v1/chat/completions', fields)).status).toBe(200)
  // The first one is believed from here on, and goes away.
  await admin.ask('PATCH', `/api/upstreams/${id}`, { base_url: 'http://127.0.0.1:9/v1', credential: 'another' })
  const { secret, accountId } = await gateway.purse('0.1')
  await many(20, () => call(secret, '/v1/chat/completions', fields))
  const { cost, calls } = await billed(secret)
  expect(calls).toBeGreaterThan(0)
  expect(cost).toBeLessThanOrEqual(parseUsd('0.1') + cost / BigInt(calls))
  expect(await balanceOf(accountId)).toBe(parseUsd('0.1') - cost)
})

describe('of four tenths of a cent a stream uses all but some tokens', () => {
  const fields = { ...ask('Write 2000 words.'), stream: true, max_tokens: 30_000 }

  test('of a balance', async () => {
    const { secret, accountId } = await gateway.purse('0.004')
    expect((await call(secret, '/v1/chat/completions', fields)).status).toBe(200)
    const left = await balanceOf(accountId)
    expect(left).toBeGreaterThanOrEqual(0n)
    expect(left).toBeLessThanOrEqual(FEW_TOKENS)
  })

  test.for([
    ['a quota', { quota_limit: '0.004' }],
    ['a spend window', { rate_limit: { spend: [{ window: '5h', usd: '0.004' }] } }],
  ] as const)('of %s of the key', async ([, settings]) => {
    const { secret } = await gateway.purse('1', settings)
    expect((await call(secret, '/v1/chat/completions', fields)).status).toBe(200)
    const { cost } = await billed(secret)
    expect(cost).toBeLessThanOrEqual(parseUsd('0.004'))
    expect(cost).toBeGreaterThanOrEqual(parseUsd('0.004') - FEW_TOKENS)
  })
})

test('a request that there is enough for is sent as it came, and names no limit', async () => {
  const { secret } = await gateway.purse('10')
  const { status, limit } = await call(secret, '/v1/chat/completions', { ...ask('Write 10 words.'), max_tokens: 500 })
  expect([status, limit]).toEqual([200, null])
  const fields = ask('Write 12 words.')
  expect((await call(secret, '/v1/chat/completions', fields)).limit).toBeNull()
  const sent = gateway.provider.ledger.calls.filter(({ headers }) => headers['user-agent'] === secret)
  expect(sent).toHaveLength(2)
})

test('a request of which even the input is more than there is is refused', async () => {
  const { secret } = await gateway.purse('0.001')
  const { status } = await call(secret, '/v1/chat/completions', ask('hello '.repeat(1_000)))
  expect(status).toBe(402)
  expect((await billed(secret)).calls).toBe(0)
})
