import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { COUNTS_OF_KEY_WAITING, COUNTS_WAITING, FREE_COUNTS_WAITING } from '../../core/limits.ts'
import { type CountingThread, ThreadTokenCounter } from './token-counter.ts'
import { type CountingMessage, READY } from './token-counter/thread-message.ts'

/** A thread that counts when the test says so. */
class Thread extends EventEmitter {
  readonly asked: string[] = []
  isEnded = false
  postMessage(question: CountingMessage): void {
    if (question.kind === 'text') this.asked.push(question.text)
    else if (question.isLast) this.asked.push(Buffer.from(question.part).toString())
  }
  async terminate(): Promise<number> {
    this.isEnded = true
    return 0
  }
  unref(): void {}
}

let threads: Thread[]
let counter: ThreadTokenCounter
beforeEach(() => {
  vi.useFakeTimers()
  threads = []
  counter = new ThreadTokenCounter(() => {
    const thread = new Thread()
    threads.push(thread)
    return thread as unknown as CountingThread
  })
})
afterEach(async () => {
  await counter.close()
  vi.useRealTimers()
})

const ESTIMATE = 77

const counted = (tokens: number) => ({ tokens, isExact: true })

function free(text: string, keyId = 'key_1'): Promise<number> {
  return counter.countForFree(Buffer.from(text), { keyId, estimate: ESTIMATE })
}

function isReady(thread: Thread | undefined): void {
  thread?.emit('message', READY)
}

function answered(thread: Thread | undefined, tokens: number): void {
  thread?.emit('message', tokens)
}

test('the thread is asked one thing at a time, and what is to be settled first', async () => {
  const waiting = [
    free('one'),
    free('two'),
    counter.countText('three'),
    counter.countRequest(Buffer.from('four'), ESTIMATE),
  ]
  const [thread] = threads
  for (let tokens = 1; tokens <= 4; tokens++) {
    expect(thread?.asked).toHaveLength(tokens)
    answered(thread, tokens)
  }
  expect(thread?.asked).toEqual(['one', 'three', 'four', 'two'])
  expect(await Promise.all(waiting)).toEqual([1, 4, counted(2), counted(3)])
})

describe('beyond its bound a count for free is an estimate at once', () => {
  test('in the number that one key has waiting, and another key has its own', async () => {
    void free('in the thread')
    const many = Array.from({ length: COUNTS_OF_KEY_WAITING.entries }, () => free('x'))
    expect(await free('too many')).toBe(ESTIMATE)
    void Promise.all(many)
    let isAnswered = false
    void free('another’s', 'key_2').then(() => (isAnswered = true))
    await vi.advanceTimersByTimeAsync(10)
    expect(isAnswered).toBe(false)
  })

  test('in the bytes that one key has waiting', async () => {
    void free('in the thread')
    const half = ' '.repeat(COUNTS_OF_KEY_WAITING.bytes / 2)
    void free(half)
    void free(half)
    expect(await free(' ')).toBe(ESTIMATE)
    expect(await free(half + half + ' ', 'key_2')).toBe(ESTIMATE)
  })

  test('in the number of all keys', async () => {
    void free('in the thread')
    for (let i = 0; i < FREE_COUNTS_WAITING.entries; i++) void free('x', `key_${i}`)
    expect(await free('x', 'key_other')).toBe(ESTIMATE)
  })
})

test('a count of what is to be settled has its own bound, and is the estimate beyond it', async () => {
  const large = Buffer.alloc(COUNTS_WAITING.bytes / 2, 'a ')
  for (let i = 0; i < 3; i++) void counter.countRequest(large, ESTIMATE)
  const count = await counter.countRequest(Buffer.from('one two three'), ESTIMATE)
  expect(count).toEqual({ tokens: ESTIMATE, isExact: false })
})

test('what took too long is dropped: from the line, and with the thread that is still at it', async () => {
  const stuck = free('stuck')
  isReady(threads[0])
  const dropped = free('dropped')
  await vi.advanceTimersByTimeAsync(3_000)
  const later = counter.countText('later')
  await vi.advanceTimersByTimeAsync(2_500)
  expect(await Promise.all([stuck, dropped])).toEqual([ESTIMATE, ESTIMATE])
  expect(threads[0]).toMatchObject({ asked: ['stuck'], isEnded: true })
  expect(threads[1]?.asked).toEqual(['later'])
  // Whatever the old one still says is about something else.
  answered(threads[0], 1)
  answered(threads[1], 5)
  expect(await later).toEqual(counted(5))
})

test('a thread that is slow to start is waited for, and then asked what is wanted by now', async () => {
  const early = counter.countText('early')
  await vi.advanceTimersByTimeAsync(6_000)
  expect(await early).toMatchObject({ isExact: false })
  const late = counter.countText('late')
  isReady(threads[0])
  answered(threads[0], 1)
  expect(threads).toHaveLength(1)
  expect(threads[0]).toMatchObject({ asked: ['early', 'late'], isEnded: false })
  answered(threads[0], 2)
  expect(await late).toEqual(counted(2))
})

test('what was dropped while the thread started must not keep it from all others', async () => {
  void counter.countText('stuck')
  await vi.advanceTimersByTimeAsync(6_000)
  isReady(threads[0])
  await vi.advanceTimersByTimeAsync(4_000)
  const late = counter.countText('late')
  await vi.advanceTimersByTimeAsync(1_500)
  expect(threads[0]?.isEnded).toBe(true)
  answered(threads[1], 2)
  expect(await late).toEqual(counted(2))
})

test('a thread that never starts is given up after a minute', async () => {
  void counter.countText('one')
  await vi.advanceTimersByTimeAsync(61_000)
  expect(threads[0]?.isEnded).toBe(true)
  const two = counter.countText('two')
  answered(threads[1], 2)
  expect(await two).toEqual(counted(2))
})

test('a thread that is lost leaves no count without an answer', async () => {
  const counts = [free('one'), counter.countText('two')]
  threads[0]?.emit('error', new Error('out of memory'))
  const [first, second] = await Promise.all(counts)
  expect(first).toBe(ESTIMATE)
  expect(second).toMatchObject({ isExact: false })
})

test('the real thread counts a request alike for who pays and for who asks, and leaves its bytes', async () => {
  vi.useRealTimers()
  const real = new ThreadTokenCounter()
  const body = Buffer.from('{"messages":[{"role":"user","content":"one two three"}]}')
  const [text, settled, asked] = await Promise.all([
    real.countText('one two three'),
    real.countRequest(body, 0),
    real.countForFree(body, { keyId: 'k', estimate: 0 }),
  ])
  await real.close()
  expect(text).toEqual(counted(3))
  expect(settled).toEqual(counted(asked))
  expect(asked).toBeGreaterThanOrEqual(3)
  expect(body.toString()).toContain('one two three')
})

test('a large body goes to the thread in parts, and is counted as a whole', async () => {
  vi.useRealTimers()
  const real = new ThreadTokenCounter()
  const image_url = `data:image/png;base64,${'QUJD'.repeat(2_500_000)}`
  const content = [
    { type: 'input_image', image_url },
    { type: 'input_text', text: 'word '.repeat(1_000) },
  ]
  const count = await real.countRequest(Buffer.from(JSON.stringify({ input: [{ role: 'user', content }] })), 0)
  await real.close()
  expect(count.isExact).toBe(true)
  expect(count.tokens).toBeGreaterThanOrEqual(2_600)
  expect(count.tokens).toBeLessThan(2_640)
})
