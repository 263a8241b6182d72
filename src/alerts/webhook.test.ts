import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseUsd } from '../core/money.ts'
import { type AlertReceiver, isGenuine, startAlertReceiver } from '../../test/support/alert-receiver.ts'
import { aBudgetAlert } from '../../test/support/budget-alert.ts'
import { WebhookCarrier } from './webhook.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const key = Buffer.from('a-secret-that-receivers-know')
const alert = aBudgetAlert()

let receiver: AlertReceiver
beforeEach(async () => {
  receiver = await startAlertReceiver()
})
afterEach(() => receiver.close())

function send(over: { url?: string; timeoutMs?: number; signal?: AbortSignal; nowMs?: number } = {}) {
  const { url = receiver.url, nowMs = NOON, signal = new AbortController().signal, ...rest } = over
  const carrier = new WebhookCarrier({
    url,
    format: 'json',
    key,
    clock: { now: () => nowMs, elapsed: () => 0 },
    ...rest,
  })
  return carrier.send(alert, signal)
}

test('an alert is posted as JSON that a receiver can check', async () => {
  expect(await send()).toEqual({ kind: 'delivered' })
  const [received] = receiver.received
  expect(received).toMatchObject({ method: 'POST', path: '/hooks/alerts?from=tollgate' })
  expect(received?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': alert.id })
  expect(received !== undefined && isGenuine(received, { key, nowMs: NOON })).toBe(true)
  expect(JSON.parse(received?.body ?? '')).toEqual({
    id: alert.id,
    type: 'budget.threshold',
    created_at: '2026-11-21T12:00:00.005Z',
    account: { id: 'acc_1', email: 'ada@example.test' },
    subject: { kind: 'key', id: 'key_1', name: 'laptop' },
    percent: 80,
    limit: '5',
    used: '4.000000001',
    remaining: '0.999999999',
    window: null,
    resets_at: '2026-11-22T00:00:00.000Z',
    ends_at: null,
  })
})

test('a low balance has no name, percent or reset, and what remains is never below nothing', async () => {
  const low = aBudgetAlert({
    kind: 'low_balance',
    subjectId: 'acc_1',
    subjectName: '',
    percent: null,
    resetsAt: null,
    used: parseUsd('5.01'),
  })
  const carrier = new WebhookCarrier({
    url: receiver.url,
    format: 'json',
    key,
    clock: { now: () => NOON, elapsed: () => 0 },
  })
  await carrier.send(low, new AbortController().signal)
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    type: 'balance.low',
    subject: { kind: 'account', id: 'acc_1', name: null },
    percent: null,
    remaining: '0',
    resets_at: null,
  })
})

test('the quota of a window says which, and what is left of one that could not cover a request', async () => {
  const short = aBudgetAlert({ kind: 'subscription', percent: 100, window: '5h', used: parseUsd('4.9') })
  const carrier = new WebhookCarrier({
    url: receiver.url,
    format: 'json',
    key,
    clock: { now: () => NOON, elapsed: () => 0 },
  })
  await carrier.send(short, new AbortController().signal)
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    type: 'budget.threshold',
    window: '5h',
    percent: 100,
    remaining: '0.1',
  })
})

test('a later try has the same id and a new signature; what was changed or signed with another secret is not genuine', async () => {
  await send()
  await send({ nowMs: NOON + 30_000 })
  const [first, second] = receiver.received
  if (first === undefined || second === undefined) throw new Error('nothing arrived')
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
  expect(second.headers['webhook-signature']).not.toBe(first.headers['webhook-signature'])
  expect(isGenuine(second, { key, nowMs: NOON + 30_000 })).toBe(true)
  expect(isGenuine({ ...second, body: second.body.replace('80', '50') }, { key, nowMs: NOON })).toBe(false)
  expect(isGenuine(second, { key: Buffer.from('another-secret-altogether'), nowMs: NOON })).toBe(false)
  expect(isGenuine(second, { key, nowMs: NOON + 3_600_000 })).toBe(false)
})

test.for([
  [200, { kind: 'delivered' }],
  [202, { kind: 'delivered' }],
  [410, { kind: 'refused', failure: 'HTTP 410' }],
  [400, { kind: 'failed', failure: 'HTTP 400', retryAfterMs: null }],
  [401, { kind: 'failed', failure: 'HTTP 401', retryAfterMs: null }],
  [404, { kind: 'failed', failure: 'HTTP 404', retryAfterMs: null }],
  [500, { kind: 'failed', failure: 'HTTP 500', retryAfterMs: null }],
] as const)('an answer of %s is %o', async ([status, outcome]) => {
  receiver.answer((response) => response.writeHead(status).end('with some text'))
  expect(await send()).toEqual(outcome)
})

test('the receiver may say how long to wait', async () => {
  receiver.answer((response) => response.writeHead(429, { 'retry-after': '90' }).end())
  expect(await send()).toEqual({ kind: 'failed', failure: 'HTTP 429', retryAfterMs: 90_000 })
})

test('a redirect is not followed', async () => {
  receiver.answer((response) => response.writeHead(307, { location: receiver.url }).end())
  expect(await send()).toMatchObject({ kind: 'failed', failure: 'HTTP 307' })
  expect(receiver.received).toHaveLength(1)
})

test('an answer without an end is not read to its end, and its status counts', async () => {
  let isGone = false
  receiver.answer((response) => {
    response.on('close', () => {
      isGone = true
    })
    const write = () => {
      response.write('x'.repeat(65_536))
      if (!isGone) setImmediate(write)
    }
    response.writeHead(200)
    write()
  })
  expect(await send()).toEqual({ kind: 'delivered' })
  await expect.poll(() => isGone).toBe(true)
})

test('a receiver that says nothing is given up after the time-out', async () => {
  receiver.answer(() => {})
  expect(await send({ timeoutMs: 40 })).toEqual({
    kind: 'failed',
    failure: 'no answer within 0.04 s',
    retryAfterMs: null,
  })
})

test('a stop ends it at once', async () => {
  const stopping = new AbortController()
  receiver.answer(() => stopping.abort())
  expect(await send({ signal: stopping.signal })).toMatchObject({ kind: 'failed', failure: 'ABORT_ERR' })
})

test('a failure has nothing of the address in it', async () => {
  const { port } = new URL(receiver.url)
  await receiver.close()
  const outcome = await send({ url: `http://user:hunter2@127.0.0.1:${port}/secret-path` })
  expect(outcome).toEqual({ kind: 'failed', failure: 'ECONNREFUSED', retryAfterMs: null })
  const unknown = await send({ url: 'http://user:hunter2@no-such-host.invalid/secret-path' })
  expect(JSON.stringify(unknown)).not.toMatch(/hunter2|secret|invalid/)
})

test('TLS to a server without it is reported by a code', async () => {
  const outcome = await send({ url: receiver.url.replace('http:', 'https:') })
  expect(outcome).toMatchObject({ kind: 'failed', failure: expect.stringMatching(/^(ERR_SSL|EPROTO)/) })
})
