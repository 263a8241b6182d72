import { expect, test } from 'vitest'
import { openaiChat } from '../../protocols/openai-chat.ts'
import { usedBy, withCost, type UsedRequest } from './request-cost.ts'

const WORDS = ' hello world and more'.repeat(50)

/** Of a stream's text one is kept. */
const FOUR_MEGABYTES = 4 * 1024 * 1024

/** A token for each word. */
const counter = {
  countText: (text: string) => Promise.resolve(text.split(' ').length - 1),
  countRequest: () => Promise.resolve(10),
}

const request = {
  body: Buffer.from('{"model":"m"}'),
  head: { outputTokensLimit: null, choices: 20, outside: { refers: false, loops: false, media: false } },
  adapters: { mostBytesSent: 13 },
  chosen: {
    model: { contextTokens: null, maxOutputTokens: null },
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
  const ending = await withCost(end, used, { request, counter })
  expect(ending).toMatchObject({ usageSource: 'estimated', tokens: { input: 10 } })
  expect((ending.tokens.output ?? 0) / (sent * 200)).toBeCloseTo(1, 2)
})
