import { expect, test } from 'vitest'
import { credentialByHand } from '../../test/support/candidate-by-hand.ts'
import type { KeyWithOwner } from '../access/api-key.ts'
import { WAITING_FOR_TARGETS_LIMIT } from '../core/limits.ts'
import { nanoUsd, ONE_PPM } from '../core/money.ts'
import { UpstreamHealth } from '../routing/upstream-health.ts'
import { explainRoute } from './explain-route.ts'
import { LearnedRefusals } from './learned-refusals.ts'
import type { Snapshot } from './snapshot.ts'

const GROUP = { id: 'grp_1', name: 'default', multiplier: ONE_PPM, models: ['*'], isEnabled: true, isOpen: true }
const PRICES = { input: nanoUsd(1n), output: nanoUsd(1n), cacheRead: null, cacheWrite: null, cacheWrite1h: null }

/** A model with a target at each of these upstreams, which are asked in their order. */
function world(ids: readonly string[], random = 0.5) {
  const learnedRefusals = new LearnedRefusals({ clock: { now: () => 0 } })
  const inUse = new Map(
    ids.map((id) => {
      const pool = [{ credential: null, client: null, health: credentialByHand(() => 1), isDisabled: false }]
      return [id, { upstream: { id, name: id, protocol: 'openai' }, pool, health: new UpstreamHealth(() => 1) }]
    }),
  )
  const targets = ids.map((upstreamId, priority) => ({ upstreamId, model: 'm', priority, weight: 1 }))
  const snapshot = {
    groupsById: new Map([[GROUP.id, GROUP]]),
    modelsByName: new Map([['m', { id: 'mod_1', name: 'm', prices: PRICES, targets }]]),
    upstreamsById: inUse,
  } as unknown as Snapshot
  const of = {
    key: { id: 'key_1', groupId: GROUP.id, fallbackGroupIds: [], allowedModels: [] },
    account: { id: 'acc_1' },
    subscriptions: [],
  } as unknown as KeyWithOwner
  return {
    upstream: (id: string) => {
      const { pool, health } = inUse.get(id) ?? {}
      if (pool?.[0] === undefined || health === undefined) throw new Error(`there is none named ${id}`)
      return { health, credential: pool[0].health, target: pool[0].health.of('m') }
    },
    explain: (now: number) =>
      explainRoute(
        { of, modelName: 'm', wire: 'openai-chat', nowMs: 0 },
        { snapshot, now, random: () => random, learnedRefusals },
      ),
  }
}

/** An upstream that asks to be left alone for so long, or (null) has been unreachable just now. */
function rests({ target }: ReturnType<ReturnType<typeof world>['upstream']>, restMs: number | null): void {
  target.begin(0)
  target.failed(0, 0, { failure: restMs === null ? 'unreachable' : 'rate_limited', restMs, callerId: 'acc_2' })
  target.end()
}

test('where the only credential is held the route has the fault of a request, until one may find out', () => {
  const { upstream, explain } = world(['a'])
  const { credential } = upstream('a')
  credential.begin(0)
  credential.refused({ beganAt: 0, now: 0 }, 'credential')
  credential.use.end()
  expect(explain(1_000)).toMatchObject({
    fault: { code: 'upstream_unavailable', retry: 'never' },
    candidates: [{ reason: 'held', attempt: null, waitMs: null }],
  })
  // Ten seconds after it was asked last one request is let through, and one that comes just before waits for that.
  expect(explain(9_000)).toMatchObject({ fault: null, candidates: [{ reason: 'held', attempt: 1, waitMs: 1_000 }] })
  expect(explain(10_000)).toMatchObject({ fault: null, candidates: [{ reason: 'panic', attempt: 1, waitMs: null }] })
})

test('a target that rests for no longer than a request waits is waited for, and one that rests longer is not', () => {
  const { upstream, explain } = world(['a', 'b'])
  rests(upstream('a'), 30_000)
  rests(upstream('b'), null)
  // Its guessed rest is cut short where nothing else is well.
  const { fault, candidates } = explain(400)
  expect([fault, ...candidates]).toMatchObject([
    null,
    { name: 'b', reason: 'cooling', attempt: 1, waitMs: 600 },
    { name: 'a', reason: 'cooling', attempt: null, waitMs: null },
  ])
})

test('what the upstream asks for beyond two seconds is a refusal, with the time until it ends', () => {
  const { upstream, explain } = world(['a'])
  rests(upstream('a'), 10_000)
  expect(explain(7_999).fault).toMatchObject({
    code: 'upstream_rate_limited',
    details: { retryAfterSeconds: 3 },
  })
  expect(explain(8_000)).toMatchObject({ fault: null, candidates: [{ attempt: 1, waitMs: 2_000 }] })
})

test('where as many wait for an upstream as may, a moment’s rest is a refusal too', () => {
  const { upstream, explain } = world(['a'])
  rests(upstream('a'), null)
  upstream('a').health.waiting = WAITING_FOR_TARGETS_LIMIT
  expect(explain(400)).toMatchObject({
    fault: { code: 'upstream_unavailable' },
    candidates: [{ attempt: null, waitMs: null }],
  })
})

test('a target that is passed over since it has failed of late is not said to be well', () => {
  const { upstream, explain } = world(['a', 'b'])
  rests(upstream('a'), 10_000)
  const reasons = (now: number) => explain(now).candidates.map(({ name, reason, attempt }) => [name, reason, attempt])
  expect(reasons(5_000)).toEqual([
    ['b', 'taken', 1],
    ['a', 'cooling', null],
  ])
  // Its rest is over, and one request in ten finds out.
  expect(reasons(20_000)).toEqual([
    ['b', 'taken', 1],
    ['a', 'doubt', 2],
  ])
})
