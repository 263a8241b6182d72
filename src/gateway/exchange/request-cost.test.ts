import { describe, expect, test } from 'vitest'
import { nanoUsd } from '../../core/money.ts'
import { NO_TOKENS } from '../../core/tokens.ts'
import { openaiChat } from '../../protocols/openai-chat.ts'
import { usedBy, withCost, type UsedRequest } from './request-cost.ts'

const WORDS = ' hello world and more'.repeat(50)

/** One copy of a stream's text is kept. */
const FOUR_MEGABYTES = 4 * 1024 * 1024

/** A token for each word. */
const counter = {
  countText: (text: string) => Promise.resolve({ tokens: text.split(' ').length - 1, isExact: true }),
  countRequest: () => Promise.resolve({ tokens: 10, isExact: true }),
}

const request = {
  body: Buffer.from('{"model":"m"}'),
  head: { outputTokensLimit: null, choices: 20, outside: { refers: false, loops: false, media: false } },
  adapters: { mostBytesSent: 13 },
  reservation: null,
  hold: { tokens: 0, limit: null },
  chosen: {
    model: { contextTokens: null, maxOutputTokens: null, targets: [] },
    prices: { input: 0n, output: 0n, cacheRead: null, cacheWrite: null, cacheWrite1h: null, other: null, units: null },
    group: { multiplier: 1_000_000n },
  },
} as unknown as UsedRequest

test('a stream that was left is charged for all that was delivered, beyond what is kept of its text', async () => {
  const reader = openaiChat.openStream({ dropUsageChunk: false, choices: 20 })
  let sent = 0
  for (; sent * WORDS.length < FOUR_MEGABYTES; sent++) {
    const choice = { index: sent % 20, delta: { content: WORDS }, finish_reason: null }
    reader.push(Buffer.from(`data: ${JSON.stringify({ choices: [choice] })}\n\n`))
  }
  const used = { ...usedBy(reader), isFinal: false }
  const end = { outcome: 'aborted', fault: null, httpStatus: 200 } as const
  const ending = await withCost(end, used, { request, counter, heldInputTokens: 200_000 })
  expect(ending).toMatchObject({ usageSource: 'estimated', tokens: { input: 10 } })
  expect((ending.tokens.output ?? 0) / (sent * 200)).toBeCloseTo(1, 2)
})

const PER_MILLION = nanoUsd(1_000_000_000n)

describe('output that the upstream did not report', () => {
  const LIMIT = 100
  const INPUT = 20
  /** Input and output cost as much, and all that the limit allows is held. */
  const held = {
    ...request,
    head: { ...request.head, outputTokensLimit: LIMIT, choices: 1, estimatedInputTokens: INPUT },
    chosen: { ...request.chosen, prices: { ...request.chosen.prices, input: PER_MILLION, output: PER_MILLION } },
    reservation: { amount: nanoUsd(BigInt(INPUT + LIMIT) * 1_000n) },
  } as unknown as UsedRequest
  const counting = (output: number, isExact: boolean) => ({
    countText: () => Promise.resolve({ tokens: output, isExact }),
    countRequest: (_: Buffer, estimate: number) => Promise.resolve({ tokens: isExact ? 2 * INPUT : estimate, isExact }),
  })
  const charged = async (output: number, isExact: boolean) => {
    const used = { reported: NO_TOKENS, isFinal: false, producedText: () => 'text' }
    const end = { outcome: 'aborted', fault: null, httpStatus: 200 } as const
    const { tokens } = await withCost(end, used, {
      request: held,
      counter: counting(output, isExact),
      heldInputTokens: 200_000,
    })
    return { input: tokens.input, output: tokens.output }
  }

  test('never costs more than is held where only the rule of thumb tells how much it was', async () => {
    expect(await charged(300, false)).toEqual({ input: INPUT, output: LIMIT })
    expect(await charged(60, false)).toEqual({ input: INPUT, output: 60 })
  })

  test('is no more than its limit where another tokenizer may have counted that', async () => {
    expect(await charged(LIMIT + 5, true)).toMatchObject({ output: LIMIT })
    expect(await charged(LIMIT - 5, true)).toMatchObject({ output: LIMIT - 5 })
  })

  test('is charged as it was where the upstream took no notice of its limit', async () => {
    expect(await charged(300, true)).toMatchObject({ output: 300 })
  })
})
