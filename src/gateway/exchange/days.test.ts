import { expect, test } from 'vitest'
import { type NanoUsd, nanoUsd } from '../../core/money.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { Upstream } from '../../routing/catalog.ts'
import { CredentialHealth } from '../../routing/credential-health.ts'
import { unlimitedCredential } from '../../routing/credential-settings.ts'
import type { FailureClass } from '../../routing/failure-class.ts'
import { SpendCap } from '../../routing/spend-cap.ts'
import { PROBE_EVERY_MS } from '../../routing/target-health.ts'
import { UpstreamHealth } from '../../routing/upstream-health.ts'
import { type Choosing, UntriedTargets } from './untried-targets.ts'

// Simulated days of conversations over three upstreams, one of which is at its cap every day, by the targets of whole requests:
// affinity, retries and what was tried included. `routing/simulation.test.ts` has the choice alone.

/** `ROUTING_SEEDS=1000` plays the long form, `ROUTING_FIRST_SEED=501` begins there. */
const SEEDS = Number(process.env['ROUTING_SEEDS'] ?? 6)
const FIRST_SEED = Number(process.env['ROUTING_FIRST_SEED'] ?? 1)
const HOUR_MS = 3_600_000
/** A day of UTC ends in the middle of it. */
const NOON = Date.UTC(2026, 10, 23, 12)
const MIDNIGHT = 12 * HOUR_MS
const ATTEMPTS = 3
const PATIENCE_MS = 2_000
const BACK_WITHIN_MS = 600_000
const CAPPED = 'c'
const CAP = nanoUsd(2_000n)
const COST: NanoUsd = nanoUsd(1n)

/** Of credentials: what is wrong with an upstream is wrong with all of its credentials. */
const ILLNESSES: readonly { readonly failure: FailureClass; readonly part: number; readonly restMs: number | null }[] =
  [
    { failure: 'rate_limited', part: 1, restMs: 20_000 },
    { failure: 'credential', part: 1, restMs: null },
  ]

/** Of one upstream, for an hour. */
const HALF_LAME: (typeof ILLNESSES)[number] = { failure: 'failed', part: 0.5, restMs: null }
const LAME = { upstreamId: 'a', from: 4 * HOUR_MS, to: 5 * HOUR_MS }

interface Fate {
  illness: (typeof ILLNESSES)[number] | null
  changesAt: number
  wellSince: number
  answersSinceWell: number
  askedAt: number
}

test.for(Array.from({ length: SEEDS }, (_, i) => FIRST_SEED + i))(
  'a day of conversations over upstreams that fall ill or reach their cap keeps the laws of routing (seed %i)',
  (seed) => {
    const random = numbers(seed)
    const time = { now: 0 }
    const { choosing, cap } = world(random, time)
    const fates = new Map<Candidate, Fate>()
    const conversations = Array.from({ length: 40 }, () => Math.floor(random() * 2 ** 32) | 0)
    const broken: string[] = []
    const spent = [0, 0]
    let asked = 0
    let unanswered = 0
    const fateOf = (candidate: Candidate): Fate => {
      let fate = fates.get(candidate)
      if (fate === undefined) {
        fate = { illness: null, changesAt: random() * HOUR_MS, wellSince: 0, answersSinceWell: 0, askedAt: -Infinity }
        fates.set(candidate, fate)
      }
      return fate
    }
    /** Of the upstream without a cap one is always well. */
    const turn = (): void => {
      for (const [candidate, fate] of fates) {
        if (time.now < fate.changesAt) continue
        fate.changesAt = time.now + random() * HOUR_MS
        if (fate.illness !== null) Object.assign(fate, { illness: null, wellSince: time.now, answersSinceWell: 0 })
        else {
          const others = [...fates].filter(([each]) => each !== candidate && each.target.upstreamId !== CAPPED)
          if (!others.some(([, other]) => other.illness === null)) continue
          fate.illness = ILLNESSES[Math.floor(random() * ILLNESSES.length)] ?? null
        }
      }
    }
    const play = (affinity: number): boolean => {
      const untried = new UntriedTargets({ ...choosing, affinity }, random)
      const startedAt = time.now
      const tried = new Set<Candidate>()
      while (tried.size < ATTEMPTS) {
        const choice = untried.choose(time.now, { isRetry: tried.size > 0 })
        if (choice.kind === 'none') return false
        if (choice.kind === 'rest') {
          if (choice.at - startedAt > PATIENCE_MS) return false
          time.now = choice.at
          continue
        }
        const { candidate } = choice
        const fate = fateOf(candidate)
        if (tried.has(candidate)) broken.push(`${nameOf(candidate)} was tried twice at ${time.now}`)
        if (candidate.target.upstreamId === CAPPED && cap.isReached) broken.push(`past the cap at ${time.now}`)
        if (candidate.health.restsUntil !== 0 && time.now - fate.askedAt < PROBE_EVERY_MS) {
          broken.push(`${nameOf(candidate)} was probed twice within a second at ${time.now}`)
        }
        fate.askedAt = time.now
        untried.remove(candidate)
        candidate.upstream.retries.count(time.now, tried.size > 0)
        tried.add(candidate)
        const beganAt = time.now
        candidate.begin(beganAt)
        const illness = fate.illness ?? (isLame(candidate, beganAt) ? HALF_LAME : null)
        const isBad = illness !== null && random() < illness.part
        time.now += 50
        if (isBad) {
          const { failure, restMs } = illness
          candidate.failed({ beganAt, now: time.now }, { failure, restMs, callerId: `c${Math.floor(random() * 4)}` })
          if (candidate.concernsOthers(failure)) untried.putBehind(candidate.target)
        } else {
          candidate.answered(beganAt, time.now)
          candidate.succeeded(beganAt)
          candidate.used(10, COST)
          fate.answersSinceWell += 1
          if (candidate.target.upstreamId === CAPPED)
            spent[time.now < MIDNIGHT ? 0 : 1] = (spent[time.now < MIDNIGHT ? 0 : 1] ?? 0) + 1
        }
        candidate.end()
        if (!isBad) return true
      }
      return false
    }
    for (; time.now < 24 * HOUR_MS; time.now += random() * 6_000) {
      turn()
      asked += 1
      const place = Math.floor(random() * conversations.length)
      const affinity = conversations[place] ?? 0
      // Conversations end, and others begin.
      if (random() < 0.05) conversations[place] = Math.floor(random() * 2 ** 32) | 0
      const isInDoubt = time.now >= LAME.from && time.now < LAME.to
      if (!play(affinity) && !isInDoubt) unanswered += 1
      for (const [candidate, { illness, wellSince, answersSinceWell }] of fates) {
        if (isLame(candidate, time.now) || isLame(candidate, time.now - BACK_WITHIN_MS)) continue
        const isCapped = candidate.target.upstreamId === CAPPED
        // Behind a cap none finds out how it is.
        const opened = isCapped && time.now >= MIDNIGHT ? MIDNIGHT : 0
        if (illness !== null || answersSinceWell > 0 || time.now - Math.max(wellSince, opened) <= BACK_WITHIN_MS)
          continue
        if (isCapped && cap.isReached) continue
        if (candidate.mayBeAskedAt(time.now) > time.now) broken.push(`${nameOf(candidate)} still rests at ${time.now}`)
      }
    }
    expect(broken.slice(0, 5)).toEqual([])
    expect(fates.size).toBe(6)
    expect(spent).toEqual([Number(CAP), Number(CAP)])
    expect(asked).toBeGreaterThan(20_000)
    expect(1 - unanswered / asked).toBeGreaterThanOrEqual(0.999)
  },
)

/** Three upstreams of two credentials each, for one model. */
function world(random: () => number, time: { readonly now: number }) {
  const clock = { now: () => NOON + time.now, elapsed: () => time.now }
  const limits = {
    maxConcurrency: null,
    requestsPerMinute: null,
    tokensPerMinute: null,
    spendPerDay: null,
    expiresAt: null,
  }
  const cap = new SpendCap(CAP, clock)
  const upstreamsById = new Map(
    ['a', 'b', CAPPED].map((id) => {
      const pool = ['1', '2'].map((name) => ({
        credential: unlimitedCredential('', name),
        client: null,
        health: new CredentialHealth({ limits, clock, random }),
        isDisabled: false,
      }))
      const upstream = { id, name: id, protocol: 'openai' } as Upstream
      const caps = id === CAPPED ? { caps: { ofUpstream: cap, ofTargets: new Map() } } : {}
      return [id, { upstream, pool, health: new UpstreamHealth(random), ...caps }]
    }),
  )
  const targets = ['a', 'b', CAPPED].map((upstreamId) => ({ upstreamId, model: 'm', priority: 0, weight: 1 }))
  const choosing = {
    chosen: { model: { id: 'mod_1', name: 'm', targets }, targets, group: { id: 'grp_1' } },
    snapshot: { upstreamsById },
    caller: { account: { id: 'acc_1' } },
    isSameWireOnly: false,
    protocol: { wire: 'openai-chat' },
    adapters: { isSameWire: () => true },
  } as unknown as Omit<Choosing, 'affinity'>
  return { choosing, cap }
}

function isLame({ target }: Candidate, at: number): boolean {
  return target.upstreamId === LAME.upstreamId && at >= LAME.from && at < LAME.to
}

function nameOf({ target, credentialName }: Candidate): string {
  return `${target.upstreamId} ${credentialName ?? ''}`
}

function numbers(seed: number): () => number {
  let state = (seed * 48_271) % 2_147_483_647
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}
