import { expect, test } from 'vitest'
import { METRIC_SERIES_LIMIT } from '../core/limits.ts'
import { NO_TOKENS } from '../core/tokens.ts'
import { type CountedRequest, RequestFigures } from './request-figures.ts'
import { begin, settle, START, STOP, STREAM, TEXT } from '../../test/support/exchange-by-hand.ts'

function request(model: string | null, group = 'default'): CountedRequest {
  const chosen = model === null ? null : { model: { name: model }, group: { name: group } }
  return { wire: 'openai-chat', chosen, isStream: false, startedAt: 0, firstByteAt: null, bodyMs: 0, upstreamMs: 0 }
}

function requestsIn(figures: RequestFigures) {
  return figures.read().values.filter(({ of }) => of === 'requests')
}

function distribution(figures: RequestFigures, name: string) {
  const found = figures.read().distributions.find(({ of }) => of === name)?.distribution
  return { sum: found?.sum, count: found?.counts.reduce((sum, count) => sum + count) }
}

const COMPLETED = { outcome: 'completed', fault: null } as const

test('a model that was not found stands as other, and a group that is not known as none', () => {
  const figures = new RequestFigures()
  figures.ended(request(null), { outcome: 'refused', fault: 'model_unknown' }, 5)
  expect(requestsIn(figures)).toEqual([
    { of: 'requests', labels: ['openai-chat', 'other', 'none', 'refused', 'model_unknown'], value: 1 },
  ])
  expect(distribution(figures, 'requestSeconds').count).toBe(0)
})

test('the number of series is bounded, whatever is configured, and none is lost', () => {
  const figures = new RequestFigures()
  const all = METRIC_SERIES_LIMIT + 500
  for (let i = 0; i < all; i++) figures.ended(request(`model ${i}`), COMPLETED, 5)
  for (let i = 0; i < all; i++) figures.ended(request(`model ${i}`), COMPLETED, 5)
  const values = requestsIn(figures)
  expect(values.length).toBe(METRIC_SERIES_LIMIT + 1)
  expect(values.reduce((sum, { value }) => sum + value, 0)).toBe(2 * all)
  expect(values.find(({ labels }) => labels[1] === 'other')?.value).toBe(1_000)
})

test('what routes read of their caches is counted by model, upstream and affinity, where it is reported', () => {
  const figures = new RequestFigures()
  const tokens = { ...NO_TOKENS, input: 100, cacheRead: 900 }
  const route = { model: 'm', upstream: 'u', affinity: 7 }
  figures.readBy(route, tokens)
  figures.readBy(route, { ...tokens, cacheRead: null })
  figures.readBy({ ...route, affinity: null }, { ...tokens, cacheRead: 0 })
  const values = (name: string) => figures.read().values.filter(({ of }) => of === name)
  expect(values('routeInput')).toEqual([
    { of: 'routeInput', labels: ['m', 'u', 'yes'], value: 1_000 },
    { of: 'routeInput', labels: ['m', 'u', 'no'], value: 100 },
  ])
  expect(values('routeCached').map(({ value }) => value)).toEqual([900, 0])
})

test('of the time of a request, its upstream’s and that of its body are not the gateway’s own', async () => {
  const { attempt, pass, parts } = begin()
  pass(2_000)
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START + TEXT))
  await settle()
  pass(1_000)
  attempt(0).handler.onData(Buffer.from(STOP))
  attempt(0).handler.onEnd()
  pass(300)
  await settle()
  const { figures } = parts
  await expect.poll(() => requestsIn(figures)).toHaveLength(1)
  expect(distribution(figures, 'firstEventSeconds')).toEqual({ count: 1, sum: 2 })
  expect(distribution(figures, 'requestSeconds')).toEqual({ count: 1, sum: 3.3 })
  expect(distribution(figures, 'overheadSeconds').count).toBe(1)
  expect(distribution(figures, 'overheadSeconds').sum).toBeCloseTo(0.3, 9)
  const late = new RequestFigures()
  late.ended({ ...request('m'), bodyMs: 400, upstreamMs: 500 }, COMPLETED, 1_000)
  expect(distribution(late, 'overheadSeconds').sum).toBeCloseTo(0.1, 9)
})

test('an answer that is withheld since it is not in the books counts as failed, and nothing of it as used', async () => {
  const { attempt, pass, parts, trouble } = begin()
  trouble.isDown = true
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START + TEXT + STOP))
  attempt(0).handler.onEnd()
  await settle()
  pass(6_000)
  await expect
    .poll(() => requestsIn(parts.figures).map(({ labels }) => labels.slice(3)))
    .toEqual([['failed', 'store_unavailable']])
  trouble.isDown = false
  await expect.poll(() => distribution(parts.figures, 'settleSeconds').count ?? 0).toBe(0)
  const used = parts.figures.read().values.filter(({ of, value }) => (of === 'tokens' || of === 'charged') && value > 0)
  expect(used).toEqual([])
})

test('answers whose reported usage is not believed are counted by their upstream', async () => {
  const { attempt, parts } = begin({ fields: { max_tokens: 10 } })
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START.replace(/"input_tokens":\d+/, '"input_tokens":9000000') + TEXT + STOP))
  attempt(0).handler.onEnd()
  await settle()
  const implausible = () => parts.figures.read().values.filter(({ of }) => of === 'doubtedReports')
  await expect.poll(implausible).toEqual([{ of: 'doubtedReports', labels: ['ups_1'], value: 1 }])
})

test('what an upstream writes beyond the limit that it was sent is counted by what it is charged, and no more', async () => {
  const overrunOf = async (outputTokens: number) => {
    // Output costs 2 nano-USD a token, and 10 tokens were asked for.
    const { attempt, parts } = begin({ fields: { max_tokens: 10 } })
    attempt(0).handler.onHead(200, STREAM)
    attempt(0).handler.onData(
      Buffer.from(START + TEXT + STOP.replace('"output_tokens":3', `"output_tokens":${outputTokens}`)),
    )
    attempt(0).handler.onEnd()
    await settle()
    const valueOf = (name: string) => parts.figures.read().values.find(({ of }) => of === name)?.value ?? 0
    await expect.poll(() => valueOf('charged')).toBeGreaterThan(0)
    return valueOf('overrun')
  }
  expect(await overrunOf(10)).toBe(0)
  expect(await overrunOf(25)).toBeCloseTo((15 * 2) / 1e9, 15)
})
