import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Fault } from '../../core/faults.ts'
import type { Upstream } from '../../routing/catalog.ts'
import { UpstreamHealth } from '../../routing/upstream-health.ts'
import { credentialByHand } from '../../../test/support/candidate-by-hand.ts'
import { begin, settle, START, STOP, STREAM, TEXT } from '../../../test/support/exchange-by-hand.ts'
import type { UpstreamInUse } from '../snapshot.ts'
import { type Choosing, UntriedTargets } from './plan.ts'

// What holds of every request that may be hedged, whatever its targets and its caller do, and of many of them together.

const SEEDS = Number(process.env['HEDGE_SEEDS'] ?? 150)
const AFTER_MS = 200

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const numbers = (seed: number) => {
  let state = (seed * 48_271) % 2_147_483_647
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

type AttemptByHand = ReturnType<typeof begin>['attempts'][number]

/** What an upstream may do, the first of them without an end. After it was cancelled nothing more is heard of it. */
const ANSWERS: readonly ((attempt: AttemptByHand) => void)[] = [
  ({ handler }) => handler.onHead(200, STREAM),
  (attempt) => says(attempt, [START + TEXT, STOP]),
  (attempt) => says(attempt, [START, TEXT + STOP]),
  (attempt) => says(attempt, ['{"error":{"message":"busy"}}'], 503),
  ({ handler }) => handler.onFailure(new Fault('upstream_unavailable', 'Gone.')),
]

function says(attempt: AttemptByHand, pieces: readonly string[], status = 200): void {
  attempt.handler.onHead(status, status === 200 ? STREAM : { 'content-type': 'application/json' })
  for (const piece of pieces) if (!attempt.isAborted) attempt.handler.onData(Buffer.from(piece))
  if (!attempt.isAborted) attempt.handler.onEnd()
}

test('whatever happens, one answer is paid, no target is asked twice, no more than three are, and nothing is left behind', async () => {
  const seen = new Set<string>()
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = numbers(seed)
    const pick = (count: number) => Math.floor(random() * count)
    const ids = Array.from({ length: 1 + pick(4) }, (_, i) => `ups_${i}`)
    const hand = begin({ hedgeAfterMs: AFTER_MS, targets: ids })
    const { exchange, attempts, running, settled, reservation, parts } = hand
    const over = new Set<number>()
    for (let step = 0; step < 40 && running.size > 0; step++) {
      const ms = pick(150)
      hand.pass(ms)
      vi.advanceTimersByTime(ms)
      const index = pick(attempts.length)
      const attempt = attempts[index]
      if (attempt === undefined || attempt.isAborted || over.has(index)) continue
      const what = pick(12)
      if (what >= 1 && what <= 4) over.add(index)
      if (what < 5) ANSWERS[what]?.(attempt)
      else if (what === 5 && random() < 0.3) exchange.clientGone()
      else if (what === 6 && random() < 0.2) exchange.cut(new Fault('key_deleted', 'Gone.'))
    }
    if (running.size > 0) exchange.clientGone()
    await settle()
    const own = settled.filter(({ record }) => record.accountId === 'acc_1')
    const hedge = settled.filter(({ record }) => record.accountId === 'acc_hedge')
    const [record] = own.map((each) => each.record)
    const names = record?.attempts.map(({ upstreamName }) => upstreamName) ?? []
    const counts = parts.figures.read().values.filter(({ of, value }) => of === 'hedges' && value > 0)
    const asked = counts.filter(({ labels }) => labels[1] !== 'unavailable')
    for (const { labels } of counts) seen.add(labels[1] ?? '')
    const law = {
      records: own.length,
      asBookedToOthers:
        hedge.length <= 1 && hedge.every((each) => each.record.cost === 0n && each.charges.length === 0),
      attempts: attempts.length <= 3 && names.length === attempts.length,
      twice: ids.length > 1 && new Set(names).size < names.length,
      hedges: asked.reduce((sum, { value }) => sum + value, 0) <= 1,
      upstream: record?.upstreamName === names.at(-1),
      open: reservation.isOpen,
      running: running.size,
      inFlight: ids.reduce((sum, id) => sum + (hand.healthOf(id)?.inFlight ?? 0), 0),
      underWay: attempts.filter(({ isAborted }, index) => !isAborted && !over.has(index)).length,
    }
    const kept = { records: 1, asBookedToOthers: true, attempts: true, twice: false, hedges: true, upstream: true }
    expect({ seed, ...law }).toEqual({ seed, ...kept, open: false, running: 0, inFlight: 0, underWay: 0 })
    vi.clearAllTimers()
  }
  expect([...seen].toSorted()).toEqual(['cancelled', 'failed', 'lost', 'took_over', 'unavailable', 'won'])
})

test('of many requests whose first target is slow each upstream gets no more than its part, and none a pair twice', () => {
  const random = numbers(7)
  const upstreams = ['a', 'b', 'c']
  const inUse = upstreams.map((id): UpstreamInUse => {
    const pool = ['1', '2'].map((name) => ({
      credential: { name, weight: 1 } as UpstreamInUse['pool'][number]['credential'],
      client: { send: () => Promise.reject(new Error('never sent')) as never, close: async () => {} },
      health: credentialByHand(random),
      isDisabled: false,
    }))
    const upstream = { id, name: id, protocol: 'openai' } as Upstream
    return { upstream, client: pool[0]?.client, pool, health: new UpstreamHealth(random), secrets: [] } as never
  })
  const targets = upstreams.map((upstreamId, at) => ({ upstreamId, model: 'm', priority: at, weight: 1 }))
  const model = { id: 'mod_1', name: 'm', targets, serving: { hedgeAfterMs: 10 } }
  const choosing = {
    chosen: { model, targets, group: { id: 'grp_1' } },
    snapshot: { upstreamsById: new Map(inUse.map((each) => [each.upstream.id, each])) },
    affinity: null,
    caller: { account: { id: 'acc_1' } },
    isSameWireOnly: false,
    protocol: { wire: 'openai-chat' },
    adapters: { isSameWire: () => true },
  } as unknown as Choosing
  const asked: { at: number; upstreamId: string; isHedge: boolean }[] = []
  for (let now = 0; now < 600_000; now += random() * 400) {
    const untried = new UntriedTargets(choosing, random)
    const first = untried.choose(now, { isRetry: false })
    if (first.kind !== 'take') throw new Error('all are well')
    untried.remove(first.candidate)
    first.candidate.upstream.retries.count(now, false)
    asked.push({ at: now, upstreamId: first.candidate.target.upstreamId, isHedge: false })
    const hedge = untried.chooseHedge(first.candidate, now)
    if (hedge === null) continue
    expect(hedge).not.toBe(first.candidate)
    untried.remove(hedge)
    hedge.upstream.retries.count(now, true)
    asked.push({ at: now, upstreamId: hedge.target.upstreamId, isHedge: true })
  }
  const hedges = asked.filter(({ isHedge }) => isHedge)
  expect(hedges.length).toBeGreaterThan(100)
  for (const { at, upstreamId } of hedges) {
    const minute = asked.filter((each) => each.upstreamId === upstreamId && each.at <= at && each.at > at - 50_000)
    const sent = minute.filter(({ isHedge }) => isHedge).length
    // The budget's minute has slices of 10 s, so that 50 s are within it.
    const ofMinute = asked.filter((each) => each.upstreamId === upstreamId && each.at <= at && each.at > at - 60_000)
    expect(sent).toBeLessThanOrEqual(11 + 0.2 * ofMinute.length)
  }
})
