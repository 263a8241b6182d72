import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CredentialFailure } from '../cloud-upstream.ts'
import { MintedSource, type MintedSourceOptions } from './minted-source.ts'
import type { MintedToken, MintedValue } from './minter.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  return () => vi.useRealTimers()
})

let source: MintedSource
afterEach(() => source.close(false))

/** A service that issues tokens; what it does next is set from outside. */
function service(lifeMs = HOUR_MS) {
  const events: string[] = []
  const state = { minted: 0, lifeMs, failure: null as Error | null, goodUntil: 0 }
  const mint = async (signal: AbortSignal): Promise<MintedToken> => {
    signal.throwIfAborted()
    if (state.failure !== null) throw state.failure
    state.minted += 1
    return { value: { is: 'bearer', token: `t${state.minted}` }, lifeMs: state.lifeMs }
  }
  const made = (more: Partial<MintedSourceOptions> = {}) => {
    source = new MintedSource({
      minter: { scope: 's', mint },
      shared: null,
      clock: { elapsed: () => performance.now() },
      random: () => 0,
      secrets: () => [],
      events: {
        onFailure: (words, goodForMs) => {
          events.push(`${goodForMs === null ? 'held' : 'failed'}: ${words}`)
          if (goodForMs !== null) state.goodUntil = performance.now() + goodForMs
        },
        onRecovered: (wasHeld) => events.push(wasHeld ? 'recovered' : 'renewed'),
        onToken: () => {},
      },
      ...more,
    })
    return source
  }
  return { state, events, made }
}

const tokenOf = (value: MintedValue | Promise<MintedValue>) =>
  value instanceof Promise || value.is !== 'bearer' ? 'not at hand' : value.token
const passed = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('the token at hand is answered at once, and requests that come before it wait for one minting', async () => {
  const { state, made } = service()
  made()
  const waiting = await Promise.all([source.get(), source.get(), source.get()])
  expect(waiting.map(tokenOf)).toEqual(['t1', 't1', 't1'])
  expect(state.minted).toBe(1)
  expect(tokenOf(source.get())).toBe('t1')
})

test.each([
  [HOUR_MS, 48],
  [20 * MINUTE_MS, 15],
  [8 * MINUTE_MS, 4],
])('a token of %i ms is renewed after %i minutes, beside the requests', async (lifeMs, minutes) => {
  const { state, made } = service(lifeMs)
  made().start()
  await passed(0)
  await passed(minutes * MINUTE_MS - 1)
  expect(state.minted).toBe(1)
  await passed(1)
  expect(tokenOf(source.get())).toBe('t2')
})

test('nodes renew at different moments', async () => {
  const { state, made } = service()
  made({ random: () => 1 }).start()
  await passed(0)
  await passed(44 * MINUTE_MS)
  expect(state.minted).toBe(2)
})

test('a failed renewal keeps the token that is good, and holds the credential when it ends, without a request', async () => {
  const { state, events, made } = service()
  const endsAt = performance.now() + HOUR_MS
  made().start()
  await passed(0)
  state.failure = new CredentialFailure('AccessDenied: gone')
  await passed(59 * MINUTE_MS)
  expect(tokenOf(source.get())).toBe('t1')
  expect(events.length).toBeGreaterThan(3)
  expect(events.every((event) => event === 'failed: AccessDenied: gone')).toBe(true)
  expect(state.goodUntil).toBeCloseTo(endsAt, 0)
  await passed(MINUTE_MS + 10)
  expect(events.at(-1)).toBe('held: AccessDenied: gone')
  await expect(source.get()).rejects.toThrow('AccessDenied: gone')
})

test('a renewal that succeeds after some that failed is said once, and nothing was held', async () => {
  const { state, events, made } = service()
  made().start()
  await passed(0)
  state.failure = new CredentialFailure('no')
  await passed(50 * MINUTE_MS)
  state.failure = null
  await passed(2 * HOUR_MS)
  expect(events.slice(-2)).toEqual(['failed: no', 'renewed'])
})

test('it heals by itself, and is tried ever more rarely until then', async () => {
  const { state, events, made } = service()
  state.failure = new CredentialFailure('no')
  made().start()
  await passed(0)
  expect(events).toEqual(['held: no'])
  await passed(24 * HOUR_MS)
  expect(events.length).toBeGreaterThan(24 * 12 - 5)
  expect(events.length).toBeLessThan(24 * 16 + 15)
  state.failure = null
  await passed(5 * MINUTE_MS)
  expect(events.at(-1)).toBe('recovered')
  expect(tokenOf(source.get())).toBe('t1')
})

test('a service that hangs is left after ten seconds, and named', async () => {
  vi.useRealTimers()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const timeout = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal)
  const { events, made } = service()
  const hangs = made({ minter: { scope: 's', mint: () => new Promise(() => {}) } })
  const waiting = Promise.resolve(hangs.get())
  await passed(0)
  timeout.abort(new DOMException('late', 'TimeoutError'))
  await expect(waiting).rejects.toThrow('did not answer within 10 s')
  expect(events).toEqual(['held: The service that issues tokens did not answer within 10 s.'])
  vi.restoreAllMocks()
})

// Reported: a token that was issued a while ago is kept as if it were new (pydantic/pydantic-ai#1186, Azure/azure-sdk-for-js#24095).
test('a metadata service that gives the same token again is asked again before it ends, and not all the time', async () => {
  const { state, made } = service(HOUR_MS)
  const endsAt = performance.now() + HOUR_MS
  made({
    minter: {
      scope: 's',
      mint: async () => {
        state.minted += 1
        return { value: { is: 'bearer', token: 'same' }, lifeMs: endsAt - performance.now() }
      },
    },
  }).start()
  await passed(59 * MINUTE_MS)
  expect(tokenOf(source.get())).toBe('same')
  expect(state.minted).toBeLessThan(8)
})

test('a token that has ended when it comes is a failure, which names the clock', async () => {
  const { events, made } = service(-1)
  made().start()
  await passed(0)
  expect(events[0]).toContain('is the clock of this machine right?')
})

// Reported: a dead token is used for ever (NousResearch/hermes-agent#69096, BerriAI/litellm#4417).
test('a token that its provider refuses is replaced, once a minute', async () => {
  const { state, made } = service()
  made().start()
  await passed(0)
  const first = source.get() as MintedValue
  expect(source.replace(first)).toBeNull()
  await passed(MINUTE_MS)
  const second = await source.replace(first)
  expect(second).toEqual({ is: 'bearer', token: 't2' })
  expect(source.replace(first)).toBe(second)
  expect(source.replace(second as MintedValue)).toBeNull()
  expect(state.minted).toBe(2)
})

test('no timer outlives its credential', async () => {
  const { state, made } = service()
  made().start()
  await passed(0)
  source.close(true)
  await passed(24 * HOUR_MS)
  expect(state.minted).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
})
