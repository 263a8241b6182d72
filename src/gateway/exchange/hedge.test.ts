import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Fault } from '../../core/faults.ts'
import { begin as beginPlain, settle, START, STOP, STREAM, TEXT } from '../../../test/support/exchange-by-hand.ts'

// A second target beside a first that lets wait: what each of the two may do, in every order.

const AFTER_MS = 200
const WHOLE = { 'content-type': 'application/json' }
const ANSWER = JSON.stringify({
  type: 'message',
  content: [{ type: 'text', text: 'four' }],
  usage: { input_tokens: 5, output_tokens: 3 },
})
const PICTURE = {
  messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://a.test/b.png' } }] }],
}
const ERROR = 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function begin(options: Parameters<typeof beginPlain>[0] = {}) {
  const hand = beginPlain({ hedgeAfterMs: AFTER_MS, targets: ['ups_1', 'ups_2', 'ups_3'], ...options })
  /** Lets time pass for the exchange and its timers alike. */
  const wait = (ms: number) => {
    hand.pass(ms)
    vi.advanceTimersByTime(ms)
  }
  const streams = (index: number, text: string) => {
    hand.attempt(index).handler.onHead(200, STREAM)
    hand.attempt(index).handler.onData(Buffer.from(text))
  }
  const hedges = () =>
    hand.parts.figures
      .read()
      .values.filter(({ of, value }) => of === 'hedges' && value > 0)
      .map(({ labels, value }) => [labels[1], value])
  return { ...hand, wait, streams, hedges }
}

const byAccount = ([a]: readonly unknown[], [b]: readonly unknown[]) => String(a).localeCompare(String(b))
const unavailable = () => new Fault('upstream_unavailable', 'Gone.')

test('a second target is asked once the first has let wait for so long, and no third', () => {
  const { attempts, wait } = begin()
  wait(AFTER_MS - 1)
  expect(attempts).toHaveLength(1)
  wait(1)
  expect(attempts).toHaveLength(2)
  wait(10 * AFTER_MS)
  expect(attempts).toHaveLength(2)
})

test('none is asked where the model does not want it, or the first has begun', () => {
  const plain = beginPlain()
  plain.pass(AFTER_MS)
  vi.advanceTimersByTime(AFTER_MS)
  expect(plain.attempts).toHaveLength(1)
  const { attempts, streams, wait } = begin()
  streams(0, START)
  wait(AFTER_MS)
  expect(attempts).toHaveLength(1)
  const whole = begin({ stream: false })
  whole.attempt(0).handler.onHead(200, WHOLE)
  whole.attempt(0).handler.onData(Buffer.from(ANSWER.slice(0, 9)))
  whole.wait(AFTER_MS)
  expect(whole.attempts).toHaveLength(1)
})

test('comments are not a beginning: the second is asked behind those of the first, and does not win by its own', () => {
  const { attempts, attempt, streams, wait } = begin()
  streams(0, ': waiting\n\n')
  wait(AFTER_MS)
  expect(attempts).toHaveLength(2)
  streams(1, ': waiting\n\n')
  expect([attempt(0).isAborted, attempt(1).isAborted]).toEqual([false, false])
  attempt(0).handler.onData(Buffer.from(START))
  expect([attempt(0).isAborted, attempt(1).isAborted]).toEqual([false, true])
})

test('the second answers first: its answer goes to the client, who pays for it alone, and the first is cancelled', async () => {
  const { attempt, response, settled, wait, streams, hedges, healthOf } = begin()
  wait(AFTER_MS)
  wait(100)
  streams(1, START + TEXT)
  expect([attempt(0).isAborted, attempt(1).isAborted]).toEqual([true, false])
  attempt(1).handler.onData(Buffer.from(STOP))
  attempt(1).handler.onEnd()
  await settle()
  expect(response.written.match(/message_start"/g)).toHaveLength(1)
  expect(response.written).toContain('event: message_stop')
  const [own, booked] = settled.toSorted((a, b) => (a.record.id < b.record.id ? -1 : 1)).map(({ record }) => record)
  expect(own).toMatchObject({
    id: 'req_1',
    outcome: 'completed',
    upstreamName: 'ups_2',
    cost: 11n,
    attempts: [
      { upstreamName: 'ups_1', fault: null, status: null, isHedgedAway: true, atMs: 0, totalMs: 300 },
      { upstreamName: 'ups_2', fault: null, status: 200, atMs: 200, totalMs: 100 },
    ],
    routeTrace: 'ups_1=t;ups_2=b;ups_3=n',
  })
  expect(booked).toMatchObject({
    accountId: 'acc_hedge',
    keyId: 'key_hedge',
    outcome: 'aborted',
    upstreamName: 'ups_1',
    cost: 0n,
    multiplier: 0n,
    tokens: { input: 5, output: 0 },
    usageSource: 'estimated',
    usageNotes: ['hedged_away'],
    client: 'tollgate-hedge (req_1)',
    attempts: [{ upstreamName: 'ups_1', atMs: 0, totalMs: 300 }],
    totalMs: 300,
  })
  expect(settled).toHaveLength(2)
  expect(hedges()).toEqual([['won', 1]])
  // It took at least so long, and is as well as before.
  expect(healthOf('ups_1')).toMatchObject({ firstEventMs: 300, health: 1, restsUntil: 0, inFlight: 0 })
  expect(healthOf('ups_2')).toMatchObject({ firstEventMs: 100, inFlight: 0 })
})

test('the first answers first after all: the second is cancelled, and its input booked', async () => {
  const { attempt, settled, wait, streams, hedges, healthOf } = begin()
  wait(AFTER_MS)
  streams(0, START + TEXT)
  expect([attempt(0).isAborted, attempt(1).isAborted]).toEqual([false, true])
  attempt(0).handler.onData(Buffer.from(STOP))
  attempt(0).handler.onEnd()
  await settle()
  expect(settled.map(({ record }) => [record.accountId, record.upstreamName, record.cost])).toEqual([
    ['acc_hedge', 'ups_2', 0n],
    ['acc_1', 'ups_1', 11n],
  ])
  expect(settled[1]?.record.attempts.map((each) => each.isHedgedAway ?? false)).toEqual([true, false])
  expect(hedges()).toEqual([['lost', 1]])
  expect(healthOf('ups_2')).toMatchObject({ health: 1, inFlight: 0 })
})

test.for([0, 1])(
  'of two whole answers that of attempt %i goes to the client, where it is whole first',
  async (first) => {
    const { attempt, response, settled, wait } = begin({ stream: false })
    wait(AFTER_MS)
    for (const index of [0, 1]) attempt(index).handler.onHead(200, WHOLE)
    attempt(1 - first).handler.onData(Buffer.from(ANSWER.slice(0, 9)))
    attempt(first).handler.onData(Buffer.from(ANSWER))
    expect([attempt(0).isAborted, attempt(1).isAborted]).toEqual([false, false])
    attempt(first).handler.onEnd()
    expect(attempt(1 - first).isAborted).toBe(true)
    await settle()
    expect([response.status, response.written]).toEqual([200, ANSWER])
    const names = settled.map(({ record }) => [record.accountId, record.upstreamName, record.attempts.length])
    expect(names.toSorted(byAccount)).toEqual([
      ['acc_1', `ups_${first + 1}`, 2],
      ['acc_hedge', `ups_${2 - first}`, 1],
    ])
  },
)

test('a hedge that was not sent when it was cancelled, or has answered with an error, is booked nowhere', async () => {
  for (const how of ['unsent', 'refused']) {
    const { attempt, settled, wait, streams } = begin()
    wait(AFTER_MS)
    if (how === 'unsent') attempt(0).isSent = false
    else attempt(0).handler.onHead(500, WHOLE)
    streams(1, START + TEXT + STOP)
    await settle()
    expect(settled.map(({ record }) => record.accountId)).toEqual(['acc_1'])
  }
})

test('a second target that fails does not end the first, and the usual order goes on behind both', async () => {
  const { attempts, attempt, settled, wait, streams, hedges } = begin()
  wait(AFTER_MS)
  attempt(1).handler.onHead(503, WHOLE)
  attempt(1).handler.onData(Buffer.from('{"error":{"message":"busy"}}'))
  attempt(1).handler.onEnd()
  expect([attempts.length, attempt(0).isAborted]).toEqual([2, false])
  attempt(0).handler.onFailure(unavailable())
  expect(attempts).toHaveLength(3)
  wait(10 * AFTER_MS)
  streams(2, START + TEXT + STOP)
  await settle()
  expect(hedges()).toEqual([['failed', 1]])
  expect(settled.map(({ record }) => record.attempts.map(({ upstreamName, fault }) => [upstreamName, fault]))).toEqual([
    [
      ['ups_2', 'upstream_overloaded'],
      ['ups_1', 'upstream_unavailable'],
      ['ups_3', null],
    ],
  ])
})

test('an error within a good status does not win, whether it comes as a stream or whole', () => {
  const stream = begin()
  stream.wait(AFTER_MS)
  stream.streams(1, ERROR)
  expect([stream.attempt(0).isAborted, stream.hedges()]).toEqual([false, [['failed', 1]]])
  const whole = begin({ stream: false })
  whole.wait(AFTER_MS)
  whole.attempt(1).handler.onHead(200, WHOLE)
  whole.attempt(1).handler.onData(Buffer.from('{"type":"error","error":{"message":"busy"}}'))
  whole.attempt(1).handler.onEnd()
  expect([whole.attempt(0).isAborted, whole.hedges()]).toEqual([false, [['failed', 1]]])
})

test('a whole answer in place of a stream wins when it is whole, however long it is', async () => {
  const { attempt, response, wait } = begin()
  wait(AFTER_MS)
  const long = ANSWER.replace('four', 'four '.repeat(30_000))
  attempt(1).handler.onHead(200, WHOLE)
  attempt(1).handler.onData(Buffer.from(long.slice(0, -1)))
  expect(attempt(0).isAborted).toBe(false)
  attempt(1).handler.onData(Buffer.from('}'))
  attempt(1).handler.onEnd()
  expect(attempt(0).isAborted).toBe(true)
  await settle()
  expect(response.written).toContain('event: message_stop')
})

test('where the first fails the second is the next, and no third is asked before it', async () => {
  const { attempts, attempt, response, settled, wait, streams, hedges } = begin()
  wait(AFTER_MS)
  attempt(1).handler.onHead(200, STREAM)
  attempt(0).handler.onFailure(unavailable())
  expect(attempts).toHaveLength(2)
  attempt(1).handler.onData(Buffer.from(START + TEXT + STOP))
  await settle()
  expect(hedges()).toEqual([['took_over', 1]])
  expect(response.written).toContain('event: message_stop')
  expect(settled.map(({ record }) => [record.upstreamName, record.attempts.length])).toEqual([['ups_2', 2]])
  expect(streams).toBeDefined()
})

test('where both fail and no other is left, the client gets the last fault and pays nothing', async () => {
  const { attempts, attempt, response, settled, wait } = begin({ targets: ['ups_1', 'ups_2'] })
  wait(AFTER_MS)
  attempt(0).handler.onFailure(unavailable())
  attempt(1).handler.onFailure(unavailable())
  await settle()
  expect([attempts.length, response.status]).toEqual([2, 502])
  expect(settled.map(({ record }) => [record.accountId, record.outcome, record.cost])).toEqual([
    ['acc_1', 'failed', 0n],
  ])
})

test('a client that leaves cancels both, and is charged the input of one', async () => {
  const { exchange, attempt, settled, reservation, wait, hedges, healthOf } = begin()
  wait(AFTER_MS)
  exchange.clientGone()
  await settle()
  expect([attempt(0).isAborted, attempt(1).isAborted]).toEqual([true, true])
  const records = settled.map(({ record }) => [record.accountId, record.upstreamName, record.outcome, record.cost])
  expect(records.toSorted(byAccount)).toEqual([
    ['acc_1', 'ups_1', 'aborted', 7n],
    ['acc_hedge', 'ups_2', 'aborted', 0n],
  ])
  expect([reservation.isOpen, healthOf('ups_1')?.inFlight, healthOf('ups_2')?.inFlight]).toEqual([false, 0, 0])
  expect(hedges()).toEqual([['cancelled', 1]])
})

test('a client that leaves ends the second at once, also where the first is read on for what its input was', () => {
  const { exchange, attempt, wait } = begin({ fields: PICTURE })
  wait(AFTER_MS)
  exchange.clientGone()
  expect([attempt(0).isAborted, attempt(1).isAborted]).toEqual([false, true])
})

test('the time of two that run at a time is that of upstreams once, and the wait for them before is the gateway’s own', async () => {
  for (const first of [0, 1]) {
    const { wait, streams, parts } = begin({ restMs: 1_000 })
    wait(1_000)
    wait(AFTER_MS)
    wait(100)
    streams(first, START + TEXT + STOP)
    await settle()
    const own = parts.figures.read().distributions.find(({ of }) => of === 'overheadSeconds')
    expect(own?.distribution.sum).toBeCloseTo(1, 6)
  }
})

test('a client that leaves before the second is asked leaves no timer behind', () => {
  const { exchange, attempts } = begin()
  exchange.clientGone()
  expect(vi.getTimerCount()).toBe(0)
  expect(attempts).toHaveLength(1)
})

test('a request that is cut by the gateway, as when its key is revoked, cancels both and leaves nothing', async () => {
  const { exchange, attempt, settled, running, wait } = begin()
  wait(AFTER_MS)
  exchange.cut(new Fault('key_deleted', 'Gone.'))
  await settle()
  expect([attempt(0).isAborted, attempt(1).isAborted, running.size]).toEqual([true, true, 0])
  expect(settled.map(({ record }) => [record.accountId, record.cost])).toEqual([
    ['acc_hedge', 0n],
    ['acc_1', 0n],
  ])
})

test('the second counts as an attempt and as a retry at its upstream, and none is asked where there is no room', () => {
  const full = begin({ targets: ['ups_1', 'ups_2', 'ups_3', 'ups_4'] })
  full.attempt(0).handler.onFailure(unavailable())
  full.attempt(1).handler.onFailure(unavailable())
  expect(full.attempts).toHaveLength(3)
  full.wait(AFTER_MS)
  expect([full.attempts.length, full.hedges()]).toEqual([3, [['unavailable', 1]]])
  const spent = begin({ targets: ['ups_1', 'ups_2'] })
  for (let i = 0; i < 13; i++) spent.upstreamOf('ups_2')?.retries.count(0, true)
  spent.wait(AFTER_MS)
  expect([spent.attempts.length, spent.hedges()]).toEqual([1, [['unavailable', 1]]])
  const alone = begin({ targets: ['ups_1'] })
  alone.wait(AFTER_MS)
  expect([alone.attempts.length, alone.hedges()]).toEqual([1, [['unavailable', 1]]])
})

test('no hedge of what is bound to an organisation goes to another one', () => {
  const binding = { providerOrg: 'ups_1', fingerprints: [] }
  const { attempts, wait, hedges } = begin({ binding })
  wait(AFTER_MS)
  expect([attempts.length, hedges()]).toEqual([1, [['unavailable', 1]]])
})

test('images are asked for once, however long they take', () => {
  const { attempts, wait } = begin({ wire: 'openai-images', stream: false, fields: { prompt: 'a cat' } })
  wait(10 * AFTER_MS)
  expect(attempts).toHaveLength(1)
})

test('a client that reads slowly makes the one wait that took over, too', async () => {
  const { attempt, response, wait, pass } = begin()
  response.isSlow = true
  pass(116_000)
  await settle()
  wait(AFTER_MS)
  expect(attempt(0).isPaused).toBe(true)
  attempt(0).handler.onFailure(unavailable())
  expect(attempt(1).isPaused).toBe(true)
})
