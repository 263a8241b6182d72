import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { KeyWithOwner } from '../access/api-key.ts'
import type { Group } from '../access/group.ts'
import { Fault } from '../core/faults.ts'
import { nanoUsd, ONE_PPM } from '../core/money.ts'
import type { Wire } from '../core/wire.ts'
import { Reservation } from '../metering/reservation.ts'
import { SettleQueue } from '../metering/settle-queue.ts'
import type { Settlement } from '../metering/settlement.ts'
import { protocolOf } from '../protocols/protocol-of.ts'
import type { Model, Upstream } from '../routing/catalog.ts'
import type { UpstreamExchange, UpstreamHandler, UpstreamRequest } from '../upstreams/upstream-client.ts'
import { ClientAnswer } from './client-answer.ts'
import { Exchange } from './exchange.ts'
import type { GatewayParts } from './parts.ts'
import { RunningRequests } from './running-requests.ts'

/** One attempt, in the test's hand. */
interface AttemptByHand extends UpstreamExchange {
  readonly request: UpstreamRequest
  readonly handler: UpstreamHandler
  isAborted: boolean
  isPaused: boolean
}

/** A client's connection that remembers what was written to it. */
class ResponseByHand {
  written = ''
  status = 0
  headersSent = false
  destroyed = false
  writableEnded = false
  chunkedEncoding = false
  isSlow = false
  readonly req = { httpVersionMinor: 0 }
  #onDrain: () => void = () => {}

  on(event: string, listener: () => void): void {
    if (event === 'drain') this.#onDrain = listener
  }

  writeHead(status: number): void {
    this.status = status
    this.headersSent = true
  }

  flushHeaders(): void {}

  write(bytes: Buffer | string, then?: unknown): boolean {
    this.written += bytes.toString()
    if (typeof then === 'function') then()
    return !this.isSlow
  }

  end(bytes?: Buffer | string): void {
    this.written += bytes?.toString() ?? ''
    this.writableEnded = true
  }

  destroy(): void {
    this.destroyed = true
  }

  drain(): void {
    this.isSlow = false
    this.#onDrain()
  }
}

const prices = {
  input: nanoUsd(1_000_000n),
  output: nanoUsd(2_000_000n),
  cacheRead: null,
  cacheWrite: null,
  cacheWrite1h: null,
}
const caller = { key: { id: 'key_1', name: 'k' }, account: { id: 'acc_1' } } as KeyWithOwner
const group = { id: 'grp_1', name: 'default', multiplier: ONE_PPM } as Group

function begin(options: { wire?: Wire; stream?: boolean; targets?: readonly string[]; timeoutMs?: number } = {}) {
  const { wire = 'anthropic-messages', stream = true, targets = ['ups_1', 'ups_2'] } = options
  const time = { elapsed: 0 }
  const clock = { now: () => 1_790_000_000_000 + time.elapsed, elapsed: () => time.elapsed }
  const attempts: AttemptByHand[] = []
  const client = {
    send(request: UpstreamRequest, handler: UpstreamHandler): UpstreamExchange {
      const attempt: AttemptByHand = {
        request,
        handler,
        isAborted: false,
        isPaused: false,
        pause: () => (attempt.isPaused = true),
        resume: () => (attempt.isPaused = false),
        abort: () => (attempt.isAborted = true),
      }
      attempts.push(attempt)
      return attempt
    },
    close: async () => {},
  }
  const settled: Settlement[] = []
  const store = {
    settle: async (batch: readonly Settlement[]) => {
      settled.push(...batch)
      return { overruns: 0 }
    },
  }
  const running = new RunningRequests()
  const parts = {
    clock,
    random: () => 0.5,
    settleQueue: new SettleQueue({ store, clock, onError: () => {} }),
    running,
    tokenCounter: { countText: async (text: string) => text.length, countRequest: async () => 7 },
    log: { failure: () => {} },
  } as unknown as GatewayParts
  const body = Buffer.from(JSON.stringify({ model: 'm', stream, max_tokens: 10, messages: [] }))
  const protocol = protocolOf(wire)
  const model = { name: 'm', targets: [] as unknown, maxOutputTokens: null, contextTokens: null } as Model
  const upstreamsById = new Map(
    targets.map((id) => [
      id,
      {
        upstream: { id, name: id, baseUrl: 'http://up.test', timeoutMs: options.timeoutMs ?? null } as Upstream,
        client,
        secrets: ['up.test'],
      },
    ]),
  )
  const response = new ResponseByHand()
  const reservation = new Reservation([], nanoUsd(0n))
  const exchange = new Exchange({
    parts,
    prepared: {
      caller,
      protocol,
      body,
      head: protocol.readRequest(body),
      chosen: {
        model,
        group,
        prices,
        targets: targets.map((upstreamId, priority) => ({ upstreamId, model: 'm', priority, weight: 1 })),
      },
      snapshot: { groupsById: new Map(), modelsByName: new Map(), upstreamsById },
      reservation,
    },
    trace: {
      id: 'req_1',
      createdAt: clock.now(),
      startedAt: 0,
      wire,
      client: null,
      caller,
      model: 'm',
      isStream: stream,
      chosen: null,
      attempts: [],
      firstByteAt: null,
    },
    answer: new ClientAnswer(response as unknown as ServerResponse, {
      requestId: 'req_1',
      family: 'anthropic',
      hint: null,
    }),
    rawHeaders: [],
    upstreamPath: '/messages',
  })
  exchange.start()
  const pass = (ms: number) => {
    for (let left = ms; left > 0; left -= 100) {
      time.elapsed += Math.min(100, left)
      running.tick(time.elapsed)
    }
  }
  const attempt = (index: number): AttemptByHand => {
    const found = attempts[index]
    if (found === undefined) throw new Error(`there is no attempt ${index}`)
    return found
  }
  return { exchange, attempts, attempt, response, settled, reservation, running, pass }
}

const STREAM = { 'content-type': 'text/event-stream' }
const START =
  'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":5,"output_tokens":1}}}\n\n'
const TEXT =
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"four"}}\n\n'
const STOP =
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}\n\n' +
  'event: message_stop\ndata: {"type":"message_stop"}\n\n'

/** Lets what was put off to the end of this turn, and the settle behind it, happen. */
async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
}

test('a silent upstream is given up after its time, and the next target is tried', async () => {
  const { attempts, attempt, response, pass } = begin()
  pass(600_000)
  expect(attempts).toHaveLength(1)
  pass(200)
  expect(attempt(0).isAborted).toBe(true)
  expect(attempts).toHaveLength(2)
  attempt(1).handler.onHead(200, STREAM)
  attempt(1).handler.onData(Buffer.from(START))
  await settle()
  expect(response.written).toContain('message_start')
})

test('a client that waits is kept waiting with pings, from 100 s on without having heard from the upstream', async () => {
  const { attempt, response, pass } = begin()
  pass(99_000)
  expect(response.headersSent).toBe(false)
  pass(2_000)
  await settle()
  expect(response.status).toBe(200)
  expect(response.written.match(/event: ping/g)).toHaveLength(1)
  pass(45_000)
  await settle()
  expect(response.written.match(/event: ping/g)).toHaveLength(4)
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START))
  await settle()
  expect(response.written.match(/message_start"/g)).toHaveLength(1)
})

test('after the headers went out early a failure still goes to the next target, and at last into the stream', async () => {
  const { attempts, attempt, response, pass } = begin()
  pass(101_000)
  attempt(0).handler.onFailure(unavailable())
  expect(attempts).toHaveLength(2)
  attempt(1).handler.onFailure(unavailable())
  await settle()
  expect(response.written).toContain('event: error')
  expect(response.destroyed).toBe(true)
})

test('an upstream that stops in the middle is cut off after its idle time, with an error event and no bill', async () => {
  const { attempt, response, settled, pass } = begin()
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START + TEXT))
  pass(301_000)
  await settle()
  expect(attempt(0).isAborted).toBe(true)
  expect(response.written).toContain('event: error')
  expect(response.destroyed).toBe(true)
  expect(settled.map(({ record }) => [record.outcome, record.cost])).toEqual([['failed', 0n]])
})

test('a client that reads slowly makes the upstream wait, and that silence is not held against it', async () => {
  const { attempt, response, pass } = begin()
  response.isSlow = true
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START))
  await settle()
  expect(attempt(0).isPaused).toBe(true)
  pass(400_000)
  expect(attempt(0).isAborted).toBe(false)
  response.drain()
  expect(attempt(0).isPaused).toBe(false)
})

test('the terminal event is held back until the books are written', async () => {
  const { attempt, response, settled, reservation } = begin()
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START + TEXT + STOP))
  expect(settled).toHaveLength(0)
  expect(response.written).not.toContain('event: message_stop')
  await settle()
  expect(settled.map(({ record }) => [record.outcome, record.tokens.input, record.tokens.output])).toEqual([
    ['completed', 5, 3],
  ])
  expect(reservation.isOpen).toBe(false)
  expect(response.written).toContain('event: message_stop')
  expect(response.writableEnded).toBe(true)
})

test('a client that hangs up pays for the input and for what had come, and the upstream is cancelled', async () => {
  const { exchange, attempt, settled, running } = begin()
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START + TEXT))
  exchange.clientGone()
  expect(attempt(0).isAborted).toBe(true)
  await settle()
  expect(settled.map(({ record }) => [record.outcome, record.tokens.input, record.tokens.output])).toEqual([
    ['aborted', 5, 4],
  ])
  expect(running.size).toBe(0)
})

test('a client that hangs up before the first byte pays nothing', async () => {
  const { exchange, attempt, settled, reservation } = begin()
  exchange.clientGone()
  expect(attempt(0).isAborted).toBe(true)
  await settle()
  expect(settled.map(({ record }) => [record.outcome, record.cost])).toEqual([['aborted', 0n]])
  expect(reservation.isOpen).toBe(false)
})

test('whatever comes after the end changes nothing', async () => {
  const { exchange, attempt, settled, pass } = begin()
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START + STOP))
  attempt(0).handler.onData(Buffer.from(TEXT))
  attempt(0).handler.onEnd()
  exchange.clientGone()
  await settle()
  exchange.clientGone()
  pass(1_000_000)
  expect(settled).toHaveLength(1)
})

test('a lone target gets a second try only when its connection was lost', async () => {
  const lost = begin({ targets: ['ups_1'] })
  lost
    .attempt(0)
    .handler.onFailure(unavailable(Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })))
  expect(lost.attempts).toHaveLength(2)
  const refused = begin({ targets: ['ups_1'] })
  refused.attempt(0).handler.onFailure(unavailable(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })))
  expect(refused.attempts).toHaveLength(1)
  expect(refused.response.status).toBe(502)
})

test('an answer that is not streamed goes out when its books are written', async () => {
  const { attempt, response } = begin({ stream: false })
  attempt(0).handler.onHead(200, { 'content-type': 'application/json' })
  attempt(0).handler.onData(Buffer.from('{"usage":{"input_tokens":1,"output_tokens":1}}'))
  attempt(0).handler.onEnd()
  expect(response.headersSent).toBe(false)
  await settle()
  expect(response.status).toBe(200)
})

function unavailable(cause?: Error): Fault {
  return new Fault('upstream_unavailable', 'gone', { cause })
}

test('a whole answer that comes after the head of a stream went out ends in an error event, and harms nobody else', async () => {
  const { attempt, response, settled, pass } = begin()
  pass(101_000)
  attempt(0).handler.onHead(200, { 'content-type': 'application/json' })
  attempt(0).handler.onData(Buffer.from('{"usage":{"input_tokens":1,"output_tokens":1}}'))
  attempt(0).handler.onEnd()
  await settle()
  expect(response.written).toContain('event: error')
  expect(response.destroyed).toBe(true)
  expect(settled.map(({ record }) => record.outcome)).toEqual(['failed'])
})

test('what came before our own time limit is paid for', async () => {
  const { attempt, response, settled, pass } = begin({ timeoutMs: 3_000 })
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START + TEXT))
  pass(3_200)
  await settle()
  expect(response.written).toContain('event: error')
  expect(settled.map(({ record }) => [record.outcome, record.fault, record.tokens.output])).toEqual([
    ['aborted', 'upstream_timeout', 4],
  ])
})

test('an upstream’s own error event reaches the client in our words, without its address', async () => {
  const { attempt, response } = begin()
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START))
  attempt(0).handler.onData(
    Buffer.from(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"up.test is full"}}\n\n',
    ),
  )
  await settle()
  expect(response.written).toContain('… is full')
  expect(response.written).not.toContain('up.test')
})
