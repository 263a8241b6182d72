import { expect, test } from 'vitest'
import { candidateByHand } from '../../test/support/candidate-by-hand.ts'
import type { Candidate } from './candidate.ts'
import { chooseTarget } from './choose-target.ts'
import type { FailureClass } from './failure-class.ts'
import { PROBE_EVERY_MS } from './target-health.ts'

/** `ROUTING_SEEDS=1000` plays the long form. */
const SEEDS = Number(process.env['ROUTING_SEEDS'] ?? 12)
const DAY_MS = 24 * 3_600_000
const ATTEMPTS = 3
const PATIENCE_MS = 2_000
const BACK_WITHIN_MS = 600_000
/** Some twenty requests come in a minute. */
const STARVED_AFTER_MS = 60_000
const TARGETS = 3

/** How an upstream is ill, and how often its answers fail then. */
const ILLNESSES: readonly { failure: FailureClass; part: number; restMs: number | null }[] = [
  { failure: 'unreachable', part: 1, restMs: null },
  { failure: 'failed', part: 1, restMs: null },
  { failure: 'failed', part: 0.5, restMs: null },
  { failure: 'rate_limited', part: 1, restMs: 20_000 },
  { failure: 'timed_out', part: 1, restMs: null },
  { failure: 'credential', part: 1, restMs: null },
]

class Upstream {
  readonly candidate: Candidate
  illness: (typeof ILLNESSES)[number] | null = null
  changesAt: number
  wellSince = 0
  /** Requests to it while it was resting. */
  probes: number[] = []
  answersSinceWell = 0
  readonly #random: () => number

  constructor(name: string, random: () => number) {
    this.#random = random
    this.candidate = candidateByHand(name, { random })
    this.changesAt = random() * 3_600_000
  }

  /** Falls ill or recovers when its time has come; it falls ill only where another is well. */
  turn(now: number, others: readonly Upstream[]): void {
    if (now < this.changesAt) return
    const mayFall = others.some((other) => other !== this && other.illness === null)
    if (this.illness === null && mayFall) {
      this.illness = ILLNESSES[Math.floor(this.#random() * ILLNESSES.length)] ?? null
    } else if (this.illness !== null) {
      this.illness = null
      this.wellSince = now
      this.answersSinceWell = 0
    }
    this.changesAt = now + this.#random() * 3_600_000
  }

  fails(): boolean {
    return this.illness !== null && this.#random() < this.illness.part
  }
}

test.each(Array.from({ length: SEEDS }, (_, seed) => seed + 1))(
  'a day of three upstreams that fall ill by chance keeps the laws of routing (seed %i)',
  (seed) => {
    const random = numbers(seed)
    const upstreams = Array.from({ length: TARGETS }, (_, index) => new Upstream(`u${index}`, random))
    let asked = 0
    let unanswered = 0
    const broken: string[] = []
    for (let now = 0; now < DAY_MS; now += random() * 6_000) {
      for (const upstream of upstreams) upstream.turn(now, upstreams)
      asked += 1
      if (!play(now, { upstreams, random, broken })) unanswered += 1
      for (const { candidate, wellSince, illness, answersSinceWell } of upstreams) {
        if (illness !== null || answersSinceWell > 0 || now - wellSince <= BACK_WITHIN_MS) continue
        if (candidate.mayBeAskedAt(now) > now) broken.push(`${candidate.target.upstreamId} still rests at ${now}`)
        else if (now - wellSince > BACK_WITHIN_MS + STARVED_AFTER_MS) {
          broken.push(`${candidate.target.upstreamId} is starved at ${now}`)
        }
      }
    }
    expect(broken.slice(0, 5)).toEqual([])
    expect(asked).toBeGreaterThan(20_000)
    expect(1 - unanswered / asked).toBeGreaterThanOrEqual(0.999)
  },
)

/** One request, by the rules of the gateway's attempts. Returns whether it was answered. */
function play(
  startedAt: number,
  { upstreams, random, broken }: { upstreams: readonly Upstream[]; random: () => number; broken: string[] },
): boolean {
  const tried = new Set<Upstream>()
  let now = startedAt
  while (tried.size < ATTEMPTS) {
    const left = upstreams.filter((upstream) => !tried.has(upstream))
    const open = tried.size === 0 ? left : left.filter(({ candidate }) => candidate.upstream.retries.hasRoom(now))
    const candidates = open.map(({ candidate }) => candidate)
    const choice = chooseTarget(candidates, { now, random, affinity: null, callerId: null })
    if (choice.kind === 'none') return false
    if (choice.kind === 'rest') {
      if (choice.at - startedAt > PATIENCE_MS) return false
      now = choice.at
      continue
    }
    const upstream = upstreams.find(({ candidate }) => candidate === choice.candidate)
    if (upstream === undefined) return false
    const { candidate } = choice
    if (candidate.health.restsUntil !== 0) {
      if (upstream.probes.some((at) => now - at < PROBE_EVERY_MS))
        broken.push(`a second probe within a second at ${now}`)
      upstream.probes = [now]
    }
    const isRetry = tried.size > 0
    tried.add(upstream)
    candidate.upstream.retries.count(now, isRetry)
    candidate.begin(now)
    const isBad = upstream.fails()
    const endsAt = now + 50
    if (isBad && upstream.illness !== null) {
      const { failure, restMs } = upstream.illness
      const callerId = `c${Math.floor(random() * 4)}`
      candidate.failed({ beganAt: now, now: endsAt }, { failure, restMs, callerId })
    } else {
      candidate.answered(now, endsAt)
      candidate.succeeded(now)
      upstream.answersSinceWell += 1
    }
    candidate.end()
    if (!isBad) return true
    now = endsAt
  }
  return false
}

function numbers(seed: number): () => number {
  let state = (seed * 48_271) % 2_147_483_647
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}
