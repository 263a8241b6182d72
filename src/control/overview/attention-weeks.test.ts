import { expect, test } from 'vitest'
import { HOUR_MS } from '../../core/durations.ts'
import { nanoUsd } from '../../core/money.ts'
import type { MarginsQuery } from '../../metering/usage/margins.ts'
import { readWeeks } from './attention-weeks.ts'

const NOW_MS = Date.parse('2026-03-10T10:20:00Z')
/** When each request was made: two hours apart, for three weeks. */
const MADE = Array.from({ length: 252 }, (_, at) => NOW_MS - at * 2 * HOUR_MS)

/** Answers as roll-ups do: by whole hours. */
function margins({ fromMs, toMs }: MarginsQuery) {
  const span = { fromMs: Math.floor(fromMs / HOUR_MS) * HOUR_MS, toMs: Math.ceil(toMs / HOUR_MS) * HOUR_MS }
  const requests = MADE.filter((at) => at >= span.fromMs && at < span.toMs).length
  const money = nanoUsd(BigInt(requests))
  const total = { requests, failed: 0, charged: money, costed: money, providerCost: money }
  return Promise.resolve({ ...span, total, rows: [] })
}

test('no request is in both weeks, and the week before is as long', async () => {
  const asked: { fromMs: number; toMs: number }[] = []
  const { now, before } = await readWeeks(NOW_MS, {
    margins: async (query) => {
      const answer = await margins(query)
      asked.push({ fromMs: answer.fromMs, toMs: answer.toMs })
      return answer
    },
  })
  const [week, earlier] = asked
  expect(earlier?.toMs).toBe(week?.fromMs)
  expect((earlier?.toMs ?? 0) - (earlier?.fromMs ?? 0)).toBe((week?.toMs ?? 0) - (week?.fromMs ?? 0))
  const inBoth = MADE.filter((at) => at >= (earlier?.fromMs ?? 0) && at < (week?.toMs ?? 0)).length
  expect(now.requests + before.requests).toBe(inBoth)
})
