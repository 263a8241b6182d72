import { expect, test } from 'vitest'
import { HOUR_MS } from '../../core/durations.ts'
import { type NanoUsd, nanoUsd } from '../../core/money.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { Upstream } from '../../routing/catalog.ts'
import { CredentialHealth } from '../../routing/credential-health.ts'
import { unlimitedCredential } from '../../routing/credential-settings.ts'
import type { FailureClass } from '../../routing/failure-class.ts'
import { SpendCap } from '../../routing/spend-cap.ts'
import { PROBE_EVERY_MS } from '../../routing/target-health.ts'
import { UpstreamHealth } from '../../routing/upstream-health.ts'
import type { GroupRoute } from '../request/prepared.ts'
import { type Choosing, UntriedTargets } from './plan.ts'

// Simulated days of conversations over three upstreams, one of which is at its cap every day, by the targets of whole requests:
// affinity, retries and what was tried included. Every other day there is a fallback group with an upstream of its own, and all
// of the first group may be ill at once. `routing/simulation.test.ts` has the choice alone.

/** `npm run test:more -- days` plays a thousand; `ROUTING_FIRST_SEED=501` begins there. */
const SEEDS = Number(process.env['ROUTING_SEEDS'] ?? 6)
const FIRST_SEED = Number(process.env['ROUTING_FIRST_SEED'] ?? 1)
/** A day of UTC ends in the middle of it. */
const NOON = Date.UTC(2026, 10, 23, 12)
const MIDNIGHT = 12 * HOUR_MS
const ATTEMPTS = 3
const PATIENCE_MS = 2_000
const BACK_WITHIN_MS = 600_000
const CAPPED = 'c'
/** Has the targets of the fallback group. */
const BEHIND = 'd'
const CAP = nanoUsd(2_000n)
const CALLER = 'acc_1'
const COST: NanoUsd = nanoUsd(1n)

/** Illnesses of credentials: what is wrong with an upstream is wrong with all of its credentials. */
const ILLNESSES: readonly { readonly failure: FailureClass; readonly part: number; readonly restMs: number | null }[] =
  [
    { failure: 'rate_limited', part: 1, restMs: 20_000 },
    { failure: 'credential', part: 1, restMs: null },
  ]

/** An illness of one upstream, for an hour. */
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
    const { choosing, cap, next } = world(random, time)
    const hasNext = seed % 2 === 0
    const fates = new Map<Candidate, Fate>()
    const conversations = Array.from({ length: 40 }, () => Math.floor(random() * 2 ** 32) | 0)
    const broken: string[] = []
    const spent = [0, 0]
    let asked = 0
    let unanswered = 0
    let wentOn = 0
    const fateOf = (candidate: Candidate): Fate => {
      let fate = fates.get(candidate)
      if (fate === undefined) {
        fate = { illness: null, changesAt: random() * HOUR_MS, wellSince: 0, answersSinceWell: 0, askedAt: -Infinity }
        fates.set(candidate, fate)
      }
      return fate
    }
    /** One credential of the upstreams without a cap is always well; where there is a fallback group, one of that. */
    const mayFallIll = (candidate: Candidate): boolean => {
      const { upstreamId } = candidate.target
      if (hasNext && upstreamId !== BEHIND) return true
      const others = [...fates].filter(([each]) => each !== candidate && (hasNext ? isBehind(each) : !isCapped(each)))
      return others.some(([, { illness }]) => illness === null)
    }
    const turn = (): void => {
      for (const [candidate, fate] of fates) {
        if (time.now < fate.changesAt) continue
        fate.changesAt = time.now + random() * HOUR_MS
        if (fate.illness !== null) Object.assign(fate, { illness: null, wellSince: time.now, answersSinceWell: 0 })
        else if (mayFallIll(candidate)) fate.illness = ILLNESSES[Math.floor(random() * ILLNESSES.length)] ?? null
      }
    }
    const play = (affinity: number): boolean => {
      const first = { ...choosing, affinity }
      const fallbacks = hasNext ? () => [{ chosen: next, affinity }] : null
      const untried = new UntriedTargets(first, random, fallbacks)
      let group: GroupRoute = first
      const startedAt = time.now
      const tried = new Set<Candidate>()
      /** Candidates without room for retries when they might have been asked. */
      const barred = new Set<Candidate>()
      while (tried.size < ATTEMPTS) {
        const roomless = [...fates.keys()].filter(({ upstream }) => !upstream.retries.hasRoom(time.now))
        if (tried.size > 0) for (const each of roomless) barred.add(each)
        const choice = untried.choose(time.now, { isRetry: tried.size > 0 })
        if (choice.kind === 'none') return false
        if (choice.kind === 'rest') {
          if (choice.at - startedAt > PATIENCE_MS) return false
          time.now = choice.at
          continue
        }
        const { candidate } = choice
        const charged = untried.groupOf(candidate)
        if (charged !== group) {
          if (isBehind(candidate)) wentOn += 1
          const left = [...fates.keys()].filter(
            (each) =>
              !tried.has(each) &&
              isBehind(each) !== isBehind(candidate) &&
              !barred.has(each) &&
              (each.isWell || (tried.size === 0 && candidate.upstream.retries.hasRoom(time.now))) &&
              each.mayBeAskedAt(time.now, CALLER) <= time.now,
          )
          if (left.length > 0) broken.push(`left a group with ${left.map(nameOf).join()} at ${time.now}`)
          untried.switchTo(charged)
          group = charged
        }
        const fate = fateOf(candidate)
        if (tried.has(candidate)) broken.push(`${nameOf(candidate)} was tried twice at ${time.now}`)
        if (isCapped(candidate) && cap.isReached) broken.push(`past the cap at ${time.now}`)
        const isResting = candidate.health.restsUntil !== 0 || candidate.credential.held !== null
        if (isResting && time.now < fate.askedAt + PROBE_EVERY_MS) {
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
          if (candidate.affectsOtherCredentials(failure)) untried.deprioritize(candidate.target)
        } else {
          candidate.answered(beganAt, time.now)
          candidate.succeeded(beganAt)
          candidate.used(10, COST)
          fate.answersSinceWell += 1
          if (isCapped(candidate)) spent[time.now < MIDNIGHT ? 0 : 1] = (spent[time.now < MIDNIGHT ? 0 : 1] ?? 0) + 1
        }
        candidate.end()
        if (!isBad) return true
      }
      return false
    }
    const isAnotherWell = () =>
      [...fates].some(
        ([each, { illness }]) =>
          each.target.upstreamId !== LAME.upstreamId &&
          illness === null &&
          !(isCapped(each) && cap.isReached) &&
          each.mayBeAskedAt(time.now, CALLER) <= time.now,
      )
    for (; time.now < 24 * HOUR_MS; time.now += random() * 6_000) {
      turn()
      asked += 1
      const place = Math.floor(random() * conversations.length)
      const affinity = conversations[place] ?? 0
      // Conversations end, and others begin.
      if (random() < 0.05) conversations[place] = Math.floor(random() * 2 ** 32) | 0
      // In the hour in which one fails half of the time a request counts where another one is well, and may be asked.
      const isInDoubt = time.now >= LAME.from && time.now < LAME.to && !isAnotherWell()
      if (!play(affinity) && !isInDoubt) unanswered += 1
      for (const [candidate, { illness, wellSince, answersSinceWell }] of fates) {
        if (isLame(candidate, time.now) || isLame(candidate, time.now - BACK_WITHIN_MS)) continue
        // Behind a cap none finds out how it is.
        const opened = isCapped(candidate) && time.now >= MIDNIGHT ? MIDNIGHT : 0
        if (illness !== null || answersSinceWell > 0 || time.now - Math.max(wellSince, opened) <= BACK_WITHIN_MS)
          continue
        if (isCapped(candidate) && cap.isReached) continue
        if (candidate.mayBeAskedAt(time.now) > time.now) broken.push(`${nameOf(candidate)} still rests at ${time.now}`)
      }
    }
    expect(broken.slice(0, 5)).toEqual([])
    expect(fates.size).toBe(hasNext ? 8 : 6)
    expect(wentOn > 0).toBe(hasNext)
    expect(spent).toEqual([Number(CAP), Number(CAP)])
    expect(asked).toBeGreaterThan(20_000)
    expect(1 - unanswered / asked).toBeGreaterThanOrEqual(0.999)
  },
)

/** Three upstreams of two credentials each, for one model, and another one in its fallback group. */
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
    ['a', 'b', CAPPED, BEHIND].map((id) => {
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
  const targets = ['a', 'b', CAPPED].map(targetAt)
  const behind = [targetAt(BEHIND)]
  const model = { id: 'mod_1', name: 'm', targets: [...targets, ...behind] }
  const choosing = {
    chosen: { model, targets, group: { id: 'grp_1' } },
    snapshot: { upstreamsById },
    caller: { account: { id: CALLER } },
    isSameWireOnly: false,
    protocol: { wire: 'openai-chat' },
    adapters: { isSameWire: () => true },
  } as unknown as Omit<Choosing, 'affinity'>
  const next = { model, targets: behind, group: { id: 'grp_2' } } as unknown as GroupRoute['chosen']
  return { choosing, cap, next }
}

function targetAt(upstreamId: string) {
  return { upstreamId, model: 'm', priority: 0, weight: 1 }
}

function isLame({ target }: Candidate, at: number): boolean {
  return target.upstreamId === LAME.upstreamId && at >= LAME.from && at < LAME.to
}

function isCapped({ target }: Candidate): boolean {
  return target.upstreamId === CAPPED
}

function isBehind({ target }: Candidate): boolean {
  return target.upstreamId === BEHIND
}

function nameOf({ target, credentialName }: Candidate): string {
  return `${target.upstreamId} ${credentialName ?? ''}`
}

function numbers(seed: number): () => number {
  let state = (seed * 48_271) % 2_147_483_647
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}
