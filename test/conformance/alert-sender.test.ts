import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Clock } from '../../src/core/clock.ts'
import type { AlertStore } from '../../src/alerts/alert.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { type AlertReceiver, isGenuine, startAlertReceiver } from '../support/alert-receiver.ts'
import { temporaryDirectory } from '../support/test-servers.ts'
import { AlertSender } from '../../src/alerts/alert-sender.ts'
import type { AlertCarrier } from '../../src/alerts/carrier.ts'
import { TRIES_LIMIT } from '../../src/alerts/retry-schedule.ts'
import { WebhookCarrier } from '../../src/alerts/webhook.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const key = Buffer.from('a-secret-that-receivers-know')

let nowMs: number
const clock: Clock = { now: () => nowMs, elapsed: () => nowMs }
let directory: string
let store: Store
let receiver: AlertReceiver
const opened: Store[] = []

beforeEach(async () => {
  nowMs = NOON
  directory = await temporaryDirectory()
  store = await anotherNode()
  receiver = await startAlertReceiver()
  const account = { id: 'acc_1', email: 'ada@example.test', role: 'user', status: 'active' } as const
  await store.accounts.create({ ...account, createdAt: NOON, isManaged: false }, null)
})
afterEach(async () => {
  await receiver.close()
  await Promise.all(opened.splice(0).map((each) => each.close()))
})

async function anotherNode(): Promise<Store> {
  const node = await openStore({ databaseUrl: null, dataDirectory: directory, clock })
  opened.push(node)
  return node
}

/** Writes an alert as the settle does. */
function crossed(id: string, createdAt = nowMs): void {
  const database = new DatabaseSync(join(directory, 'tollgate.db'), { timeout: 5000 })
  database
    .prepare(`insert into alerts (id, kind, subject_id, percent, limit_nano, used_nano, resets_at, created_at)
      values (?, 'low_balance', 'acc_1', null, 10000000000, 9500000000, null, ?)`)
    .run(id, createdAt)
  database.close()
}

function sender(over: { from?: AlertStore; carriers?: readonly AlertCarrier[]; graceMs?: number } = {}) {
  const {
    from = store.alerts,
    graceMs = 2_000,
    carriers = [new WebhookCarrier({ url: receiver.url, format: 'json', key, clock })],
  } = over
  const givenUp: unknown[] = []
  const errors: unknown[] = []
  const sending = new AlertSender({
    store: from,
    carriers,
    clock,
    random: () => 0,
    graceMs,
    onGivenUp: (what) => void givenUp.push(what),
    onError: (error) => void errors.push(error),
  })
  return { sending, givenUp, errors, look: () => sending.look() }
}

const idsReceived = () => receiver.received.map(({ headers }) => String(headers['webhook-id']))
const deliveries = async () => (await store.alerts.list(10)).flatMap((listed) => listed.deliveries)
const fail = (status: number) => receiver.answer((response) => response.writeHead(status).end())
const work = () => receiver.answer((response) => response.writeHead(204).end())

test('what is due is sent once, signed, and recorded as delivered', async () => {
  crossed('alert-1')
  const { look } = sender()
  await look()
  await look()
  expect(idsReceived()).toEqual(['alert-1'])
  expect(receiver.received.every((received) => isGenuine(received, { key, nowMs }))).toBe(true)
  expect(await deliveries()).toEqual([{ way: 'webhook', tries: 1, nextTryAt: null, deliveredAt: NOON, failure: null }])
})

test('what failed is tried again after half a minute, and then after two, with the same id', async () => {
  crossed('alert-1')
  fail(503)
  const { look } = sender()
  await look()
  nowMs += 29_999
  await look()
  expect(idsReceived()).toHaveLength(1)
  nowMs += 1
  await look()
  expect(idsReceived()).toHaveLength(2)
  expect(await deliveries()).toMatchObject([{ tries: 2, nextTryAt: nowMs + 120_000, failure: 'HTTP 503' }])
  work()
  nowMs += 120_000
  await look()
  expect(new Set(idsReceived())).toEqual(new Set(['alert-1']))
  expect(await deliveries()).toMatchObject([{ tries: 3, deliveredAt: nowMs, failure: null }])
})

test('after the last try it is given up, and said so', async () => {
  crossed('alert-1')
  fail(500)
  const { look, givenUp } = sender()
  for (let tries = 0; tries < TRIES_LIMIT; tries++) {
    await look()
    nowMs = (await deliveries())[0]?.nextTryAt ?? nowMs
  }
  nowMs = NOON + 23 * 3_600_000
  await look()
  expect(receiver.received).toHaveLength(TRIES_LIMIT)
  expect(await deliveries()).toMatchObject([{ tries: TRIES_LIMIT, nextTryAt: null, deliveredAt: null }])
  expect(givenUp).toEqual([{ alertId: 'alert-1', way: 'webhook', failure: 'HTTP 500' }])
})

test('a receiver that is gone is not asked again', async () => {
  crossed('alert-1')
  fail(410)
  const { look, givenUp } = sender()
  await look()
  nowMs += 3_600_000
  await look()
  expect(receiver.received).toHaveLength(1)
  expect(givenUp).toHaveLength(1)
})

test('a crash between sending and recording sends it again, with the same id', async () => {
  crossed('alert-1')
  const dying = { ...unbound(store.alerts), record: () => Promise.reject(new Error('killed')) }
  const first = sender({ from: dying })
  await first.look()
  expect(first.errors).toHaveLength(1)
  expect(receiver.received).toHaveLength(1)
  const second = sender({ from: (await anotherNode()).alerts })
  nowMs += 59_999
  await second.look()
  expect(receiver.received).toHaveLength(1)
  nowMs += 1
  await second.look()
  expect(idsReceived()).toEqual(['alert-1', 'alert-1'])
  expect(await deliveries()).toMatchObject([{ tries: 2, deliveredAt: nowMs }])
})

test('an alert that every sender dies over is not tried for ever', async () => {
  crossed('alert-1')
  const dying = { ...unbound(store.alerts), record: () => Promise.reject(new Error('killed')) }
  for (let tries = 0; tries < TRIES_LIMIT; tries++) {
    await sender({ from: dying }).look()
    nowMs += 60_000
  }
  expect(receiver.received).toHaveLength(TRIES_LIMIT)
  const { look, givenUp } = sender()
  await look()
  expect(receiver.received).toHaveLength(TRIES_LIMIT)
  expect(givenUp).toHaveLength(1)
  expect(await deliveries()).toMatchObject([{ nextTryAt: null, deliveredAt: null }])
})

test('of senders on several nodes, one sends each alert', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => `alert-${index}`)
  for (const id of ids) crossed(id)
  const nodes = await Promise.all(Array.from({ length: 3 }, anotherNode))
  await Promise.all(nodes.map((node) => sender({ from: node.alerts }).look()))
  expect(idsReceived().toSorted()).toEqual(ids.toSorted())
})

test('one look sends all that is due, however much that is, a few at a time', async () => {
  for (let index = 0; index < 30; index++) crossed(`alert-${index}`)
  let [underWay, most] = [0, 0]
  const counting: AlertCarrier = {
    way: 'mail',
    send: async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await Promise.resolve()
      underWay -= 1
      return { kind: 'delivered' }
    },
  }
  await sender({ carriers: [counting] }).look()
  expect((await deliveries()).length).toBe(10)
  expect((await store.alerts.list(100)).every(({ deliveries: [first] }) => first?.deliveredAt === NOON)).toBe(true)
  expect(most).toBeLessThanOrEqual(8)
})

test('a way that is configured later brings no flood of old alerts', async () => {
  crossed('alert-old', NOON - 24 * 3_600_000)
  crossed('alert-new', NOON - 24 * 3_600_000 + 1)
  await sender().look()
  expect(idsReceived()).toEqual(['alert-new'])
})

test('a way that fails does not hold the other up', async () => {
  crossed('alert-1')
  fail(500)
  const mailed: string[] = []
  const mail: AlertCarrier = {
    way: 'mail',
    send: async ({ id }) => {
      mailed.push(id)
      return { kind: 'delivered' }
    },
  }
  const { look } = sender({ carriers: [new WebhookCarrier({ url: receiver.url, format: 'json', key, clock }), mail] })
  await look()
  nowMs += 30_000
  await look()
  expect(receiver.received).toHaveLength(2)
  expect(mailed).toEqual(['alert-1'])
})

test('what is older than 90 days is deleted with its deliveries, now and then, with or without a way out', async () => {
  crossed('alert-1')
  await sender().look()
  const look = sender({ carriers: [] })
  nowMs += 90 * 24 * 3_600_000 - 1
  await look.look()
  expect(await deliveries()).toHaveLength(1)
  nowMs += 1
  await look.look()
  expect(await deliveries()).toHaveLength(1)
  nowMs += 10 * 60_000
  await look.look()
  expect(await store.alerts.list(10)).toEqual([])
  expect(look.errors).toEqual([])
})

test('looks do not overlap', async () => {
  crossed('alert-1')
  const { look } = sender()
  expect(look()).toBe(look())
  await look()
  expect(receiver.received).toHaveLength(1)
})

test('a database that is away is reported, and the next look goes on', async () => {
  crossed('alert-1')
  let isAway = true
  const shaky = {
    ...unbound(store.alerts),
    take: (request: Parameters<AlertStore['take']>[0]) =>
      isAway ? Promise.reject(new Error('away')) : store.alerts.take(request),
  }
  const { look, errors } = sender({ from: shaky })
  await look()
  expect(errors).toHaveLength(1)
  isAway = false
  await look()
  expect(receiver.received).toHaveLength(1)
})

test('once started it looks by itself, and not after its stop', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const { sending } = sender()
    sending.start()
    crossed('alert-1')
    vi.advanceTimersByTime(5_000)
    await receiver.arrived(1)
    await sending.stop()
    crossed('alert-2')
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
  expect(idsReceived()).toEqual(['alert-1'])
})

test('a stop lets what is under way end, and takes nothing new', async () => {
  crossed('alert-1')
  let answer = () => {}
  receiver.answer((response) => {
    answer = () => void response.writeHead(204).end()
  })
  const { sending, look } = sender()
  const looking = look()
  await receiver.arrived(1)
  const stopped = sending.stop()
  answer()
  await Promise.all([stopped, looking])
  expect(await deliveries()).toMatchObject([{ deliveredAt: NOON }])
  crossed('alert-2')
  await look()
  expect(receiver.received).toHaveLength(1)
})

test('a stop cuts off what does not end, and leaves it due at once', async () => {
  crossed('alert-1')
  receiver.answer(() => {})
  const { sending, look } = sender({ graceMs: 10 })
  const looking = look()
  await receiver.arrived(1)
  await Promise.all([sending.stop(), looking])
  expect(await deliveries()).toMatchObject([{ tries: 1, nextTryAt: NOON, failure: 'ABORT_ERR' }])
  work()
  await sender({ from: (await anotherNode()).alerts }).look()
  expect(idsReceived()).toEqual(['alert-1', 'alert-1'])
})

/** Methods of a class don't survive being spread. */
function unbound(alerts: AlertStore): AlertStore {
  return {
    take: (request) => alerts.take(request),
    record: (delivery, outcome) => alerts.record(delivery, outcome),
    list: (limit) => alerts.list(limit),
    forget: (now, limit) => alerts.forget(now, limit),
    announceEnds: (now, limit) => alerts.announceEnds(now, limit),
  }
}
