import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import type { KeyWithOwner } from '../../access/api-key.ts'
import type { CapturedContent, CapturedRequest } from '../../access/capture.ts'
import { CAPTURE_BODY_BYTES, CAPTURE_REQUESTS, CAPTURES_UNDER_WAY_BYTES } from '../../core/limits.ts'
import type { RequestTrace } from '../request/trace.ts'
import type { CaptureKeeper } from '../capture-keeper.ts'
import type { ClientRequest, ClientResponse } from '../client-connection.ts'
import { Captures } from './captures.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const ENDS_AT = NOON + 60_000
const SECRET = 'sk-tg-secret-of-the-caller'

function keeperByHand(over: Partial<CaptureKeeper> = {}) {
  const kept: CapturedRequest[] = []
  const contents: CapturedContent[] = []
  const failures: unknown[] = []
  const missed: number[] = []
  const keeper: CaptureKeeper = {
    seal(content) {
      contents.push(content)
      return 'sealed'
    },
    async keep(_id, request) {
      kept.push(request)
      return { takesMore: true }
    },
    async noteMissed(_id, count) {
      missed.push(count)
    },
    onFailure: (_id, error) => void failures.push(error),
    ...over,
  }
  return { kept, contents, failures, missed, captures: new Captures(keeper, { now: () => NOON, elapsed: () => 7 }) }
}

const caller = { key: { capture: { id: 'cap_1', endsAt: ENDS_AT } } } as unknown as KeyWithOwner
const request = {
  method: 'POST',
  url: '/v1/messages?key=hidden&beta=true',
  headers: { authorization: `Bearer ${SECRET}` },
  rawHeaders: ['Authorization', `Bearer ${SECRET}`, 'User-Agent', `agent ${SECRET}`, 'Cookie', 'c', 'X-Other', 'o'],
} as unknown as ClientRequest
const traceAt = (createdAt: number) => ({ id: 'req_1', createdAt, startedAt: 2, model: 'm' }) as unknown as RequestTrace

/** A captured request from its arrival to its end; false: it is none. */
async function pass(captures: Captures, { body = 'body', at = NOON } = {}): Promise<boolean> {
  const trace = traceAt(at)
  const recording = captures.begin(caller, request, trace)
  if (recording === null) return false
  const response = Object.assign(new EventEmitter(), { destroyed: false })
  recording.storeAfter(response as unknown as ClientResponse)
  recording.read(Buffer.from(body))
  recording.answered(200, ['content-type', 'application/json', 'set-cookie', 'c'])
  recording.send(Buffer.from('answer'))
  response.emit('close')
  await new Promise((resolve) => setImmediate(resolve))
  await captures.finish()
  return true
}

test('a request is kept once its answer is over, with headers of the list alone and no secret of the caller', async () => {
  const { captures, kept, contents } = keeperByHand()
  await pass(captures, { body: `{"key":"${SECRET}"}` })
  expect(kept).toEqual([
    {
      requestId: 'req_1',
      createdAt: NOON,
      method: 'POST',
      path: '/v1/messages',
      model: 'm',
      status: 200,
      totalMs: 5,
      requestBytes: SECRET.length + 10,
      responseBytes: 6,
      sealed: 'sealed',
    },
  ])
  expect(contents).toEqual([
    {
      request: {
        headers: [['user-agent', 'agent [removed]']],
        body: { encoding: 'utf8', text: '{"key":"[removed]"}', bytes: SECRET.length + 10, is_cut: false },
      },
      response: {
        status: 200,
        headers: [['content-type', 'application/json']],
        body: { encoding: 'utf8', text: 'answer', bytes: 6, is_cut: false },
      },
      attempts: [],
    },
  ])
})

test('a failure to keep is said once, counted until it is noted, and later requests are kept', async () => {
  let fails = 3
  const failing = keeperByHand({
    keep: () => (fails-- > 0 ? Promise.reject(new Error('no disk')) : Promise.resolve({ takesMore: true })),
  })
  for (let each = 0; each < 4; each++) expect(await pass(failing.captures)).toBe(true)
  expect(failing.failures).toHaveLength(1)
  await failing.captures.writeMissed()
  await failing.captures.writeMissed()
  expect(failing.missed).toEqual([3])
})

test('nothing is recorded from its end on, nor once the capture takes no more', async () => {
  const { captures } = keeperByHand()
  expect(await pass(captures, { at: ENDS_AT - 1 })).toBe(true)
  expect(await pass(captures, { at: ENDS_AT })).toBe(false)
  const full = keeperByHand({ keep: async () => ({ takesMore: false }) })
  expect(await pass(full.captures)).toBe(true)
  expect(await pass(full.captures)).toBe(false)
})

test('at once no more requests are recorded than a capture keeps', () => {
  const { captures } = keeperByHand()
  const begun = Array.from({ length: CAPTURE_REQUESTS + 3 }, () => captures.begin(caller, request, traceAt(NOON)))
  expect(begun.filter((each) => each !== null)).toHaveLength(CAPTURE_REQUESTS)
})

test('what all recordings hold in memory has a bound, and what is beyond it is cut with a mark', async () => {
  const { captures, contents } = keeperByHand()
  const held = captures.begin(caller, request, traceAt(NOON))
  const others = Array.from({ length: CAPTURE_REQUESTS - 2 }, () => captures.begin(caller, request, traceAt(NOON)))
  const attempt = {
    inUse: { upstream: { name: 'u', baseUrl: 'http://u' }, secrets: [] } as never,
    model: 'm',
  }
  const handler = { onHead() {}, onData() {}, onEnd() {}, onFailure() {} }
  const large = Buffer.alloc(CAPTURES_UNDER_WAY_BYTES / 100, 'x')
  for (const each of [held, ...others]) {
    each?.read(large)
    each?.send(large)
    for (let at = 0; at < 3; at++) {
      each?.attempt(attempt, { method: 'POST', path: '/', headers: {}, body: [large] }, handler).onData(large)
    }
  }
  const all = [held, ...others].reduce((sum, each) => sum + (each?.heldBytes ?? 0), 0)
  expect(all).toBeLessThanOrEqual(CAPTURES_UNDER_WAY_BYTES)
  await pass(captures, { body: 'y'.repeat(large.length) })
  expect(contents[0]?.request.body).toMatchObject({ is_cut: true, text: '' })
})

test('what was stored takes no memory any more', async () => {
  const { captures, contents } = keeperByHand()
  const body = 'x'.repeat(CAPTURE_BODY_BYTES)
  const passes = Math.ceil(CAPTURES_UNDER_WAY_BYTES / CAPTURE_BODY_BYTES) + 1
  for (let each = 0; each < passes; each++) await pass(captures, { body })
  expect(contents.at(-1)?.request.body).toMatchObject({ is_cut: false, bytes: CAPTURE_BODY_BYTES })
})
