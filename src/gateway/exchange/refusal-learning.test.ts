import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TRY_AGAIN_WITHIN_MS } from '../../core/limits.ts'
import { begin as beginPlain, settle } from '../../../test/support/exchange-by-hand.ts'

// A target that refuses settings by name, with time, money and other targets in the test's hand.

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const WISHES = { temperature: 0.5, top_p: 0.9, top_k: 7, max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }
const ANSWER = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'four' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 3, totalTokenCount: 8 },
}

/** A request that is translated for its targets, which speak Google's protocol. */
function begin(options: Parameters<typeof beginPlain>[0] = {}) {
  const targets = options.targets ?? ['ups_1']
  const hand = beginPlain({ stream: false, fields: WISHES, targets, unfit: targets, ...options })
  const answers = (index: number, status: number, body: object) => {
    const { handler } = hand.attempt(index)
    handler.onHead(status, { 'content-type': 'application/json' })
    handler.onData(Buffer.from(JSON.stringify(body)))
    handler.onEnd()
  }
  const refuses = (index: number, field: string) => {
    const message = `Invalid JSON payload received. Unknown name "${field}" at 'generation_config': Cannot find field.`
    answers(index, 400, { error: { code: 400, message, status: 'INVALID_ARGUMENT' } })
  }
  const sent = (index: number) => {
    const { generationConfig } = JSON.parse(Buffer.concat(hand.attempt(index).request.body).toString()) as {
      generationConfig: object
    }
    return Object.keys(generationConfig).filter((name) => name !== 'maxOutputTokens')
  }
  const learned = () => {
    const values = hand.parts.figures.read().values.filter(({ of, value }) => of === 'learnedRefusals' && value > 0)
    return values.map(({ labels, value }) => [...labels, value])
  }
  return { ...hand, answers, refuses, sent, learned }
}

test('three tries end with the refusal: nothing stays held, nothing is charged, and the target is as well as before', async () => {
  const { attempts, refuses, sent, learned, response, reservation, settled, healthOf, upstreamOf } = begin()
  refuses(0, 'temperature')
  refuses(1, 'topP')
  expect([sent(0), sent(1), sent(2)]).toEqual([['temperature', 'topP', 'topK'], ['topP', 'topK'], ['topK']])
  refuses(2, 'topK')
  await settle()
  expect(attempts).toHaveLength(3)
  expect([response.status, reservation.isOpen]).toEqual([400, false])
  expect(settled.map(({ record }) => [record.outcome, record.fault, record.cost])).toEqual([
    ['failed', 'upstream_rejected', 0n],
  ])
  expect(settled[0]?.record.attempts.map(({ refusedSettings }) => refusedSettings)).toEqual([
    ['temperature'],
    ['top_p'],
    undefined,
  ])
  expect([healthOf('ups_1')?.restsUntil, healthOf('ups_1')?.isWell]).toEqual([0, true])
  expect(upstreamOf('ups_1')?.retries.hasRoom(0)).toBe(true)
  expect(learned()).toEqual([
    ['ups_1', 'm', 'temperature', 1],
    ['ups_1', 'm', 'top_p', 1],
  ])
})

test('the answer of the last try is charged, once', async () => {
  const { answers, refuses, response, reservation, settled } = begin()
  refuses(0, 'temperature')
  answers(1, 200, ANSWER)
  await settle()
  expect([response.status, reservation.isOpen, settled.length]).toEqual([200, false, 1])
  expect(settled[0]?.record).toMatchObject({ outcome: 'completed', tokens: { input: 5, output: 3 } })
  expect(settled[0]?.record.attempts).toMatchObject([
    { refusedSettings: ['temperature'] },
    { leftOut: ['temperature'] },
  ])
})

test('no try begins once the time of the request for tries is over', async () => {
  const { attempts, refuses, pass, response } = begin({ firstByteTimeoutMs: 10 * TRY_AGAIN_WITHIN_MS })
  pass(TRY_AGAIN_WITHIN_MS + 1_000)
  refuses(0, 'temperature')
  await settle()
  expect([attempts.length, response.status]).toEqual([1, 400])
})

test('a client that hangs up meanwhile is not asked for again', async () => {
  const { attempts, refuses, exchange, settled } = begin()
  exchange.clientGone()
  refuses(0, 'temperature')
  await settle()
  expect([attempts.length, settled.length]).toEqual([1, 1])
})

test('what is remembered is what the target went on without', async () => {
  const { answers, refuses, parts, attempt } = begin()
  const upstreamNotes = () => {
    const seen: string[] = []
    const { learn } = parts.learnedRefusals
    parts.learnedRefusals.learn = (at, refusals) => {
      seen.push(...refusals.map(({ setting }) => setting))
      learn.call(parts.learnedRefusals, at, refusals)
    }
    return seen
  }
  const seen = upstreamNotes()
  refuses(0, 'temperature')
  expect(seen).toEqual([])
  refuses(1, 'topP')
  expect(seen).toEqual(['temperature'])
  expect(attempt(2).isAborted).toBe(false)
  answers(2, 200, ANSWER)
  await settle()
  expect(seen).toEqual(['temperature', 'top_p'])
})

test('while another target is asked beside it, the refusal waits for that one’s answer', async () => {
  const { attempts, answers, refuses, pass, response, settled } = begin({
    targets: ['ups_1', 'ups_2'],
    hedgeAfterMs: 200,
  })
  pass(200)
  vi.advanceTimersByTime(200)
  expect(attempts).toHaveLength(2)
  refuses(0, 'temperature')
  expect(attempts).toHaveLength(2)
  answers(1, 200, ANSWER)
  await settle()
  expect(response.status).toBe(200)
  expect(settled[0]?.record.attempts[0]).not.toHaveProperty('refusedSettings')
})
