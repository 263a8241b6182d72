import { expect, test, vi } from 'vitest'
import type { Group } from '../../access/group.ts'
import { Fault } from '../../core/faults.ts'
import { OUTPUT_STEP_TOKENS as STEP } from '../../core/limits.ts'
import { type NanoUsd, nanoUsd, ONE_PPM } from '../../core/money.ts'
import { NO_TOKENS, type TokenCounts } from '../../core/tokens.ts'
import type { Extension } from '../../metering/admission/admission.ts'
import type { Reservation } from '../../metering/admission/reservation.ts'
import type { TokenCounter } from '../../metering/usage/token-counter.ts'
import type { RequestHead, StreamReader } from '../../protocols/protocol.ts'
import type { Model } from '../../routing/catalog.ts'
import type { ExchangeState } from './state.ts'
import { StreamBudget } from './stream-budget.ts'
import type { GatewayParts } from '../parts.ts'
import { PATIENCE_MS } from '../../../test/support/patience.ts'
import type { PreparedRequest } from '../request/prepared.ts'

/** A dollar a million tokens of input, and of output: a token is 1,000 nano-USD. */
const PER_MILLION = nanoUsd(1_000_000_000n)
const TOKEN = 1_000n
const prices = {
  input: PER_MILLION,
  output: PER_MILLION,
  cacheRead: null,
  cacheWrite: null,
  cacheWrite1h: null,
  other: null,
  units: null,
}
const REFUSAL = new Fault('balance_exhausted', 'none left')
/** None of what was asked for is held. */
const REFUSED: Extension = { lacking: nanoUsd(BigInt(STEP) * TOKEN), fault: REFUSAL }

const exactly = (tokens: number) => ({ tokens, isExact: true })

/** What a reader has seen beside the usage. */
interface Seen {
  isFinal?: boolean
  isFinished?: boolean
  bytes?: number
}

/** A stream that has money for one step, and an admission in the test's hand. */
function begin(about: { outputLimit?: number | null; inputTokens?: number; sentLimit?: number } = {}) {
  const { outputLimit = 128_000, inputTokens = 100, sentLimit: limit = null } = about
  const countText = vi.fn<TokenCounter['countText']>()
  // Nothing is gained by counting unless a test says so.
  countText.mockImplementation(async () => exactly(1e9))
  const asked: NanoUsd[] = []
  const answers: (null | Promise<Extension>)[] = []
  let held = (BigInt(inputTokens) + BigInt(Math.min(STEP, outputLimit ?? STEP))) * TOKEN
  const reservation = {
    isOpen: true,
    get amount() {
      return nanoUsd(held)
    },
  } as unknown as Reservation
  const extend = (_reservation: Reservation, amount: NanoUsd): null | Promise<Extension> => {
    asked.push(amount)
    const answer = answers.shift() ?? null
    if (answer === null) held += amount
    else void answer.then(({ lacking }) => (held += amount - lacking)).catch(() => {})
    return answer
  }
  const head = { outputTokensLimit: outputLimit, choices: 1, estimatedInputTokens: inputTokens, stream: true }
  const chosen = {
    prices,
    group: { multiplier: ONE_PPM } as Group,
    model: { name: 'm', maxOutputTokens: null } as Model,
    targets: [],
  }
  const state = {
    request: {
      body: Buffer.from('{}'),
      head: head as unknown as RequestHead,
      chosen,
      reservation,
      hold: { tokens: Math.min(STEP, outputLimit ?? STEP), input: inputTokens, limit },
    } as unknown as PreparedRequest,
    parts: { admission: { extend }, heldOutputTokens: 8192, tokenCounter: { countText } } as unknown as GatewayParts,
  } as unknown as ExchangeState
  const answered = vi.fn()
  const hold = new StreamBudget(state, answered)
  const look = (written: number, report: Partial<TokenCounts> & Seen = {}) => {
    const { isFinal = false, isFinished = false, bytes = written, ...usage } = report
    const reader = {
      estimatedOutputTokens: written,
      mayHaveReached: (tokens: number) => written >= tokens,
      usageIsFinal: isFinal,
      isFinished,
      producedBytes: bytes,
      producedText: () => 'text',
      wholeCount: (counted: number) => counted,
      usage: { ...NO_TOKENS, ...usage },
    }
    return hold.look(reader as unknown as StreamReader)
  }
  return { hold, look, asked, answers, answered, countText }
}

test('the next step is asked for when half of the last one is written, and not before', () => {
  const { look, asked } = begin()
  expect(look(STEP / 2 - 1)).toBe('enough')
  expect(asked).toEqual([])
  expect(look(STEP / 2)).toBe('enough')
  expect(asked).toEqual([BigInt(STEP) * TOKEN])
  expect(look(STEP)).toBe('enough')
  expect(asked).toHaveLength(1)
})

test('a stream that cannot be near the end of what is held is not read to see how long it is', () => {
  const { hold } = begin()
  const asked: number[] = []
  let reads = 0
  const reader = {
    mayHaveReached: (tokens: number) => asked.push(tokens) > 1,
    get estimatedOutputTokens() {
      reads += 1
      return 0
    },
    usageIsFinal: false,
  } as unknown as StreamReader
  expect(hold.look(reader)).toBe('enough')
  expect(reads).toBe(0)
  expect(hold.look(reader)).toBe('enough')
  expect(reads).toBe(1)
  expect(asked).toEqual([STEP / 2, STEP / 2])
})

test('a stream that cannot be longer than what is held asks for nothing', () => {
  const { look, asked } = begin({ outputLimit: 500 })
  expect(look(499)).toBe('enough')
  expect(look(531)).toBe('enough')
  expect(asked).toEqual([])
})

test('an upstream that takes no notice of the limit is held for all the same', () => {
  const { look, asked } = begin({ outputLimit: 500 })
  look(1_001)
  expect(asked).toEqual([BigInt(1_001 + STEP - 500) * TOKEN])
})

test('the last step is only as large as the request may still write', () => {
  const { look, asked } = begin({ outputLimit: STEP + 10 })
  look(STEP)
  expect(asked).toEqual([10n * TOKEN])
  expect(look(STEP + 9)).toBe('enough')
  expect(asked).toHaveLength(1)
})

test('a chunk that is longer than a step is held for as a whole', () => {
  const { look, asked } = begin()
  expect(look(STEP * 5)).toBe('enough')
  expect(asked).toEqual([BigInt(STEP * 5) * TOKEN])
})

test('input that turned out to be more than estimated is held for with the next step', () => {
  const { look, asked } = begin({ inputTokens: 100 })
  look(STEP, { input: 300, cacheRead: 50 })
  expect(asked).toEqual([(BigInt(STEP) + 250n) * TOKEN])
})

test('a stream whose step is under way goes on with what is held, and then stands still until the answer is there', async () => {
  const { hold, look, answers, answered, asked } = begin()
  const answer = Promise.withResolvers<Extension>()
  answers.push(answer.promise)
  expect(look(STEP - 1)).toBe('enough')
  expect(look(STEP)).toBe('wait')
  expect(hold.isWaitedFor).toBe(true)
  answer.resolve({ lacking: nanoUsd(0n), fault: null })
  await vi.waitFor(() => expect(answered).toHaveBeenCalledTimes(1), PATIENCE_MS)
  expect(look(STEP)).toBe('enough')
  expect(hold.isWaitedFor).toBe(false)
  expect(asked).toHaveLength(1)
})

test('when a step is refused everything that was held may still be written, and then the stream has to end', async () => {
  const { look, answers, answered } = begin()
  answers.push(Promise.resolve(REFUSED))
  expect(look(STEP / 2)).toBe('enough')
  await Promise.resolve()
  expect(look(STEP - 1)).toBe('enough')
  answers.push(Promise.resolve(REFUSED))
  expect(look(STEP)).toBe('wait')
  await vi.waitFor(() => expect(answered).toHaveBeenCalledTimes(1), PATIENCE_MS)
  expect(look(STEP)).toBe('wait')
  await vi.waitFor(() => expect(answered).toHaveBeenCalledTimes(2), PATIENCE_MS)
  expect(look(STEP)).toBe(REFUSAL)
})

test('before it ends a stream is counted, and what the estimate was too high is still written', async () => {
  const { look, answers, answered, countText } = begin()
  answers.push(Promise.resolve(REFUSED))
  look(STEP / 2)
  await Promise.resolve()
  countText.mockResolvedValueOnce(exactly(STEP / 2)).mockResolvedValueOnce(exactly(STEP - 10))
  let calls = 0
  /** Asked for once more, refused once more, and then counted. */
  const waits = async (written: number, times: number) => {
    answers.push(Promise.resolve(REFUSED))
    for (let time = 0; time < times; time++) {
      expect(look(written)).toBe('wait')
      calls += 1
      await vi.waitFor(() => expect(answered).toHaveBeenCalledTimes(calls), PATIENCE_MS)
    }
  }
  await waits(STEP, 2)
  expect(look(STEP)).toBe('enough')
  expect(look(STEP + STEP / 2 - 1)).toBe('enough')
  await waits(STEP + STEP / 2, 2)
  expect(look(STEP + STEP / 2)).toBe('enough')
  // The second count gained next to nothing, so there is no third.
  await waits(STEP + STEP / 2 + 10, 1)
  expect(look(STEP + STEP / 2 + 10)).toBe(REFUSAL)
  expect(countText).toHaveBeenCalledTimes(2)
})

test('a machine too busy to count ends no stream: it is asked again, so often at most', async () => {
  const { look, answers, answered, countText } = begin()
  answers.push(Promise.resolve(REFUSED))
  look(STEP / 2)
  await Promise.resolve()
  countText.mockImplementation(async () => ({ tokens: 3 * STEP, isExact: false }))
  answers.push(Promise.resolve(REFUSED))
  // Asked for once more and refused once more, and then counted eight times in vain.
  for (let time = 1; time <= 9; time++) {
    expect(look(STEP)).toBe('wait')
    await vi.waitFor(() => expect(answered).toHaveBeenCalledTimes(time), PATIENCE_MS)
  }
  expect(look(STEP)).toBe(REFUSAL)
  expect(countText).toHaveBeenCalledTimes(8)
})

test('a database that does not answer is asked again, and takes no answer for a refusal until it has failed for long', async () => {
  vi.useFakeTimers()
  try {
    const { look, answers, answered, asked } = begin()
    const failure = new Fault('store_unavailable', 'gone')
    for (let i = 0; i < 19; i++) {
      answers.push(Promise.reject(failure))
      expect(look(STEP)).toBe('wait')
      await vi.advanceTimersByTimeAsync(500)
      expect(answered).toHaveBeenCalledTimes(i + 1)
    }
    answers.push(Promise.reject(failure))
    expect(look(STEP)).toBe('wait')
    await vi.advanceTimersByTimeAsync(500)
    expect(look(STEP)).toBe('wait')
    await vi.advanceTimersByTimeAsync(0)
    expect(look(STEP)).toBe(failure)
    expect(asked).toHaveLength(20)
  } finally {
    vi.useRealTimers()
  }
})

test('a last report that is not believed asks for nothing, and ends nothing early', () => {
  const { look, asked, answers } = begin()
  answers.push(Promise.resolve(REFUSED))
  expect(look(2_000_000_000, { output: 2_000_000_000, isFinal: true })).toBe('enough')
  expect(asked).toEqual([])
})

test('an answer that is whole before the funds are is not ended early: only its usage is waited for', async () => {
  const { look, answers, answered } = begin()
  answers.push(Promise.resolve(REFUSED), Promise.resolve(REFUSED))
  look(STEP / 2)
  await Promise.resolve()
  expect(look(STEP, { isFinished: true, bytes: 900 })).toBe('enough')
  await Promise.resolve()
  expect(look(STEP * 3, { isFinished: true, bytes: 900, isFinal: true, output: STEP * 3 })).toBe('enough')
  expect(answered).not.toHaveBeenCalled()
})

test('an upstream that writes on behind its own end is ended as any other', async () => {
  const { look, answers } = begin()
  for (let i = 0; i < 3; i++) answers.push(Promise.resolve(REFUSED))
  look(STEP / 2)
  await Promise.resolve()
  expect(look(STEP, { isFinished: true, bytes: 900 })).toBe('enough')
  await Promise.resolve()
  expect(look(STEP, { isFinished: true, bytes: 901 })).not.toBe('enough')
})

test('a step that is refused is asked for again when all that is held is written: a top-up counts', async () => {
  const { look, answers, answered, asked } = begin()
  answers.push(Promise.resolve(REFUSED))
  expect(look(STEP / 2)).toBe('enough')
  await Promise.resolve()
  expect(look(STEP - 1)).toBe('enough')
  expect(asked).toHaveLength(1)
  expect(look(STEP)).toBe('enough')
  expect(asked).toHaveLength(2)
  expect(answered).not.toHaveBeenCalled()
})

test('what is left of the funds is written when a whole step is refused, down to the last tokens', async () => {
  const { look, answers } = begin()
  answers.push(Promise.resolve({ lacking: nanoUsd(BigInt(STEP - 30) * TOKEN), fault: REFUSAL }))
  expect(look(STEP / 2)).toBe('enough')
  await Promise.resolve()
  await Promise.resolve()
  expect(look(STEP)).toBe('enough')
  expect(look(STEP + 29)).toBe('enough')
  answers.push(Promise.resolve(REFUSED))
  expect(look(STEP + 30)).toBe('wait')
})

test('a stream with a lowered limit asks for no more than that', () => {
  const { look, asked } = begin({ sentLimit: STEP + 10 })
  expect(look(STEP)).toBe('enough')
  expect(asked).toEqual([10n * TOKEN])
})
