import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Subscription } from '../../src/access/subscription.ts'
import { newId } from '../../src/core/ids.ts'
import { type NanoUsd, nanoUsd, parseMultiplier, parseUsd } from '../../src/core/money.ts'
import { NO_COUNTS } from '../../src/core/counted-limits.ts'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'

/** 60 KB of text, which is far more than a few cents pay for. */
const LONG = 'fake/big-chunks?chunks=600&text_bytes=100&tag=long'
const SHORT = 'fake/echo?input=40&output=10&chunks=2&tag=short'
/** Stays silent after its first chunks until it is let go of. */
const STALLS = 'fake/stalls-mid-stream?hold_ms=30000&tag=limits'
/** All of it at once, in reads of up to 64 KB. */
const BURST = 'fake/fixed?burst=1&chunks=300&text_bytes=200&input=10&output=13000&tag=burst'
const DAY_MS = 86_400_000
const FREE_INPUT = {
  input: parseUsd('0'),
  cacheRead: null,
  cacheWrite: null,
  cacheWrite1h: null,
  other: null,
  units: null,
}

let gateway: GatewayUnderTest
let groupId: string

beforeAll(async () => {
  gateway = await gatewayUnderTest()
  for (const name of [LONG, SHORT, STALLS, BURST]) await gateway.model(name)
  groupId = (await gateway.store.groups.groups())[0]?.id ?? ''
})
afterAll(() => gateway.close())

type Fields = Parameters<GatewayUnderTest['key']>[1]

async function aKey(fields: Fields = {}, balance = '10') {
  const account = await gateway.account({ balance })
  const { key, secret } = await gateway.key(account, fields)
  const openai = new OpenAI({ apiKey: secret, baseURL: `${gateway.origin}/v1`, maxRetries: 0 })
  const anthropic = new Anthropic({ apiKey: secret, baseURL: gateway.origin, maxRetries: 0 })
  return { account, key, secret, openai, anthropic }
}

function limit(over: Partial<NonNullable<NonNullable<Fields>['rateLimit']>>) {
  return { rateLimit: { ...NO_COUNTS, spend: [], ...over } }
}

function call(openai: OpenAI, model = SHORT) {
  return openai.chat.completions.create({ model, messages: [{ role: 'user', content: 'hello' }], max_tokens: 100 })
}

/** The newest records of one key, once there are so many of them. */
async function recordsOf(keyId: string, ids: readonly (string | null | undefined)[]): Promise<readonly UsageRecord[]> {
  const records: UsageRecord[] = []
  for (const id of ids) {
    await expect.poll(() => gateway.store.usage.record(id ?? '')).not.toBeNull()
    const record = await gateway.store.usage.record(id ?? '')
    if (record !== null) records.push(record)
  }
  expect(records.every((record) => record.keyId === keyId)).toBe(true)
  return records
}

async function subscribe(accountId: string, over: Partial<Subscription> = {}): Promise<Subscription> {
  const now = Date.now()
  const subscription: Subscription = {
    id: newId('sub', now),
    accountId,
    planId: 'pln_test',
    planName: 'pro',
    groupIds: [groupId],
    opensGroups: true,
    quotas: [{ window: '5h', usd: parseUsd('0.01') }],
    startsAt: now - 1_000,
    endsAt: now + 30 * DAY_MS,
    cancelledAt: null,
    createdAt: now,
    ...over,
  }
  await gateway.store.subscriptions.open(subscription)
  return subscription
}

test('what a refusal says that is left pays for, in output tokens, is served', async () => {
  const model = 'fake/echo?input=40&tag=last-tokens'
  // Nothing of it has been heard yet, so it may write more than it is allowed to.
  await gateway.model(model, { prices: { ...FREE_INPUT, output: parseUsd('10') } })
  const { openai } = await aKey({}, '0.0001')
  const ask = (max_tokens: number) =>
    openai.chat.completions.create({ model, messages: [{ role: 'user', content: 'hello' }], max_tokens })
  await expect(ask(100)).rejects.toThrow('What is left pays for about 10 output tokens')
  expect((await ask(10)).choices[0]?.finish_reason).toBe('stop')
})

describe('a stream that the balance does not reach for ends as one that is as long as was asked for', () => {
  const question = [{ role: 'user' as const, content: 'write a book' }]

  async function expectSpentWithin(accountId: string, balance: NanoUsd): Promise<void> {
    const left = await gateway.store.ledger.balance(accountId)
    // This upstream honours no limit: it is cut a sixteenth and some tokens beyond the one that it was sent.
    expect(left).toBeGreaterThanOrEqual(0n - balance / 12n)
    // What is left pays for a few tokens.
    expect(left).toBeLessThan(parseUsd('0.001'))
  }

  test('on chat completions', async () => {
    const { account, key, openai } = await aKey({}, '0.05')
    const { data: stream, response } = await openai.chat.completions
      .create({
        model: LONG,
        messages: question,
        max_tokens: 128_000,
        stream: true,
        stream_options: { include_usage: true },
      })
      .withResponse()
    let text = ''
    let finish: string | null = null
    let counted = 0
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      finish = chunk.choices[0]?.finish_reason ?? finish
      counted = chunk.usage?.completion_tokens ?? counted
    }
    expect(finish).toBe('length')
    expect(text.length).toBeGreaterThan(5_000)
    const [record] = await recordsOf(key.id, [response.headers.get('x-request-id')])
    expect(record).toMatchObject({ outcome: 'completed', fault: 'balance_exhausted', httpStatus: 200 })
    expect(record?.tokens.output).toBe(counted)
    await expectSpentWithin(account.id, parseUsd('0.05'))
  })

  test('on messages', async () => {
    const { account, anthropic } = await aKey({}, '0.05')
    const message = await anthropic.messages
      .stream({ model: LONG, messages: question, max_tokens: 128_000 })
      .finalMessage()
    expect(message.stop_reason).toBe('max_tokens')
    expect(message.usage.output_tokens).toBeGreaterThan(1_000)
    await expectSpentWithin(account.id, parseUsd('0.05'))
  })

  test('on responses', async () => {
    const { account, openai } = await aKey({}, '0.05')
    const response = await openai.responses
      .stream({ model: LONG, input: 'write a book', max_output_tokens: 128_000 })
      .finalResponse()
    expect(response.status).toBe('incomplete')
    expect(response.incomplete_details?.reason).toBe('max_output_tokens')
    expect(response.output_text.length).toBeGreaterThan(5_000)
    await expectSpentWithin(account.id, parseUsd('0.05'))
  })

  test('also when everything comes at once: no wire passes the balance by more than a step', async () => {
    const clients = await Promise.all([aKey({}, '0.05'), aKey({}, '0.05'), aKey({}, '0.05')])
    const [chat, responses, messages] = clients
    const stream = await chat.openai.chat.completions.create({
      model: BURST,
      messages: question,
      stream: true,
      max_tokens: 64_000,
    })
    let finish: string | null = null
    for await (const chunk of stream) finish = chunk.choices[0]?.finish_reason ?? finish
    const response = await responses.openai.responses.stream({ model: BURST, input: 'write' }).finalResponse()
    const message = await messages.anthropic.messages
      .stream({ model: BURST, messages: question, max_tokens: 64_000 })
      .finalMessage()
    expect([finish, response.status, message.stop_reason]).toEqual(['length', 'incomplete', 'max_tokens'])
    for (const { account } of clients) {
      const left = await gateway.store.ledger.balance(account.id)
      expect(left).toBeGreaterThan(-10_300_000n)
      expect(left).toBeLessThan(parseUsd('0.0113'))
    }
  })

  test('and one that it reaches for comes whole', async () => {
    const { anthropic } = await aKey({}, '1')
    const message = await anthropic.messages
      .stream({ model: LONG, messages: question, max_tokens: 128_000 })
      .finalMessage()
    expect(message.stop_reason).toBe('end_turn')
  })
})

describe('the limits of a key', () => {
  test('concurrency: one more than may run is refused with retry-after, and the slot is free once one is gone', async () => {
    const { openai, key } = await aKey(limit({ concurrency: 1, requestsPerMinute: 100 }))
    const running = await openai.chat.completions.create({
      model: STALLS,
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
    })
    const refused = await call(openai).catch((error: unknown) => error as InstanceType<typeof OpenAI.APIError>)
    expect(refused).toBeInstanceOf(OpenAI.RateLimitError)
    expect(refused).toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
    const headers = (refused as InstanceType<typeof OpenAI.APIError>).headers
    expect(Number(headers?.get('retry-after'))).toBeGreaterThan(0)
    expect(headers?.get('x-tollgate-fault')).toBe('rate_limited')
    const before = gateway.store
    expect(before).toBeDefined()
    running.controller.abort()
    await expect
      .poll(() =>
        call(openai).then(
          () => 'served',
          () => 'refused',
        ),
      )
      .toBe('served')
    // The refused ones were not counted as requests: two ran.
    const { response } = await call(openai).withResponse()
    expect(response.headers.get('x-ratelimit-limit-requests')).toBe('100')
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('97')
    const id = response.headers.get('x-request-id') ?? ''
    await expect.poll(() => gateway.store.usage.record(id)).not.toBeNull()
    const left = (await gateway.store.usage.record(id))?.limitsLeft ?? ''
    const [, resets = ''] = /^requests 100 97 (\d+), concurrency 1 0 -$/.exec(left) ?? []
    expect(Number(resets) - Date.now()).toBeGreaterThan(0)
    expect(Number(resets) - Date.now()).toBeLessThanOrEqual(61_000)
    expect(key.rateLimit?.concurrency).toBe(1)
  })

  test('requests per minute: the next after the last is refused with the time to wait', async () => {
    const { openai } = await aKey(limit({ requestsPerMinute: 2 }))
    await call(openai)
    await call(openai)
    const refused = (await call(openai).catch((error: unknown) => error)) as InstanceType<typeof OpenAI.APIError>
    expect(refused.status).toBe(429)
    expect(refused.message).toMatch(/2 requests a minute/)
    expect(Number(refused.headers?.get('retry-after'))).toBeGreaterThan(50)
    expect(Number(refused.headers?.get('retry-after'))).toBeLessThanOrEqual(61)
  })

  test('tokens per minute: what was really used counts, and a request beyond the whole limit is refused for good', async () => {
    const { openai } = await aKey(limit({ tokensPerMinute: 300 }))
    const { response } = await call(openai).withResponse()
    expect(response.headers.get('x-ratelimit-limit-tokens')).toBe('300')
    const state = await fetch(`${gateway.origin}/v1/usage`, {
      headers: { authorization: `Bearer ${openai.apiKey}` },
    }).then((answer) => answer.json() as Promise<{ rate_limits: unknown[] }>)
    expect(JSON.stringify(state.rate_limits)).toContain('50')
    await expect(
      openai.chat.completions.create({
        model: SHORT,
        messages: [{ role: 'user', content: 'hello '.repeat(1_000) }],
        max_tokens: 100,
      }),
    ).rejects.toThrow(/send at most 300 tokens of input/)
  })

  test('a spend window opens with the first charge, stops the key when it is used up, and says when it resets', async () => {
    const { openai, secret } = await aKey(limit({ spend: [{ window: '5h', usd: parseUsd('0.0013') }] }))
    const usage = async () =>
      fetch(`${gateway.origin}/v1/usage`, { headers: { authorization: `Bearer ${secret}` } }).then(
        (answer) =>
          answer.json() as Promise<{ rate_limits: { reset_at: string | null; used: string; limit: string }[] }>,
      )
    expect((await usage()).rate_limits).toMatchObject([{ reset_at: null }])
    await call(openai)
    const [state] = (await usage()).rate_limits
    expect(Date.parse(state?.reset_at ?? '')).toBeGreaterThan(Date.now() + 4.9 * 3_600_000)
    let refused: unknown = null
    for (let i = 0; i < 10 && refused === null; i++)
      refused = await call(openai).then(
        () => null,
        (error: unknown) => error,
      )
    expect(refused).toMatchObject({ status: 429 })
    expect(String(refused)).toMatch(/may spend in 5h.*resets at/)
    const headers = (refused as InstanceType<typeof OpenAI.APIError>).headers
    expect(headers?.get('x-should-retry')).toBe('false')
    expect(Number(headers?.get('retry-after'))).toBeGreaterThan(17_000)
  })
})

describe('who pays', () => {
  test('a subscription that covers the group, then the balance; the record says who', async () => {
    const { account, key, openai } = await aKey()
    const subscription = await subscribe(account.id, { quotas: [{ window: '5h', usd: parseUsd('0.0025') }] })
    const ids: (string | null)[] = []
    for (let i = 0; i < 16; i++) ids.push((await call(openai).withResponse()).response.headers.get('x-request-id'))
    const records = await recordsOf(key.id, ids)
    expect(records[0]).toMatchObject({
      balancePaid: 0n,
      subscriptionsPaid: [{ subscriptionId: subscription.id, paid: records[0]?.cost }],
    })
    expect(records.at(-1)).toMatchObject({ balancePaid: records[0]?.cost, subscriptionsPaid: [] })
    const paidByPlan = records.flatMap((record) => record.subscriptionsPaid).reduce((sum, { paid }) => sum + paid, 0n)
    expect(paidByPlan).toBeLessThanOrEqual(parseUsd('0.0025'))
    // All of it but the price of some tokens.
    expect(paidByPlan).toBeGreaterThan(parseUsd('0.0024'))
  })

  test('of two subscriptions the one that ends first', async () => {
    const { account, key, openai } = await aKey()
    await subscribe(account.id, { endsAt: Date.now() + 20 * DAY_MS })
    const first = await subscribe(account.id, { endsAt: Date.now() + 2 * DAY_MS })
    const { response } = await call(openai).withResponse()
    const [record] = await recordsOf(key.id, [response.headers.get('x-request-id')])
    expect(record?.subscriptionsPaid).toMatchObject([{ subscriptionId: first.id }])
  })

  test('one that was cancelled, has ended or covers another group pays for nothing', async () => {
    const { account, key, openai } = await aKey()
    const cancelled = await subscribe(account.id)
    await gateway.store.subscriptions.cancel(cancelled.id, Date.now())
    await subscribe(account.id, { endsAt: Date.now() - 1 })
    await subscribe(account.id, { groupIds: ['grp_other'] })
    const { response } = await call(openai).withResponse()
    const [record] = await recordsOf(key.id, [response.headers.get('x-request-id')])
    expect(record).toMatchObject({ balancePaid: record?.cost, subscriptionsPaid: [] })
  })

  test('a stream that uses up a subscription goes on with the balance, and each pays its part', async () => {
    const { account, key, openai } = await aKey({}, '10')
    const quota = parseUsd('0.03')
    const subscription = await subscribe(account.id, { quotas: [{ window: '1d', usd: quota }] })
    const { data: stream, response } = await openai.chat.completions
      .create({ model: LONG, messages: [{ role: 'user', content: 'a book' }], stream: true })
      .withResponse()
    for await (const chunk of stream) expect(chunk.object).toBe('chat.completion.chunk')
    const [record] = await recordsOf(key.id, [response.headers.get('x-request-id')])
    const [payment] = record?.subscriptionsPaid ?? []
    expect(payment?.subscriptionId).toBe(subscription.id)
    expect(payment?.paid ?? 0n).toBeLessThanOrEqual(quota)
    expect(payment?.paid ?? 0n).toBeGreaterThan(quota / 2n)
    expect(record?.balancePaid).toBe(nanoUsd((record?.cost ?? 0n) - (payment?.paid ?? 0n)))
    expect(record?.balancePaid ?? 0n).toBeGreaterThan(0n)
  })

  test('when neither has enough the fault names the subscription, when it resets, and the balance', async () => {
    const { account, openai } = await aKey({}, '0.0001')
    await subscribe(account.id, { quotas: [{ window: '5h', usd: parseUsd('0.0015') }] })
    await call(openai)
    let refused: unknown = null
    for (let i = 0; i < 10 && refused === null; i++)
      refused = await call(openai).then(
        () => null,
        (error: unknown) => error,
      )
    expect(refused).toMatchObject({ status: 402, code: 'insufficient_quota' })
    expect((refused as InstanceType<typeof OpenAI.APIError>).headers?.get('x-tollgate-fault')).toBe(
      'subscription_quota_exhausted',
    )
    expect(String(refused)).toMatch(/subscription's quota for 5h.*resets at.*balance has \$0\.0001/)
  })
})

test('a fallback group serves what the first does not, at its own multiplier, and the record names it', async () => {
  const now = Date.now()
  const put = async (name: string, models: readonly string[], isEnabled: boolean) => {
    const id = newId('grp', now)
    await gateway.store.groups.putGroup({
      id,
      name,
      multiplier: parseMultiplier('2'),
      models,
      isEnabled,
      isOpen: true,
      isManaged: false,
    })
    return id
  }
  const narrow = await put('narrow', ['other'], true)
  const off = await put('off', ['*'], false)
  const wide = await put('wide', ['*'], true)
  const plain = await aKey()
  const { key, openai } = await aKey({ groupId: narrow, fallbackGroupIds: [off, wide] })
  await expect
    .poll(() =>
      call(openai).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  const { response } = await call(openai).withResponse()
  const [record] = await recordsOf(key.id, [response.headers.get('x-request-id')])
  expect(record).toMatchObject({ groupId: wide, groupName: 'wide', multiplier: 2_000_000n })
  const atOne = (await call(plain.openai).withResponse()).response.headers.get('x-tollgate-cost')
  expect(Number(response.headers.get('x-tollgate-cost'))).toBeCloseTo(2 * Number(atOne), 8)
})

test('afterwards the books agree', async () => {
  const proof = await gateway.store.ledger.prove()
  expect(proof.disagreements).toEqual([])
  expect(proof.overruns).toBe(0)
})
