import { expect, test } from 'vitest'
import { DAY_MS } from '../core/durations.ts'
import { candidateByHand, poolByHand } from '../../test/support/candidate-by-hand.ts'
import type { Candidate } from './candidate.ts'
import { sortOnce } from './candidate-pool.ts'
import { chooseTarget } from './choose-target.ts'
import type { FailureClass } from './failure-class.ts'
import { PROBE_EVERY_MS } from './target-health.ts'

/** `npm run test:more -- days` plays a thousand; `ROUTING_FIRST_SEED=501` begins there. */
const SEEDS = Number(process.env['ROUTING_SEEDS'] ?? 10)
const FIRST_SEED = Number(process.env['ROUTING_FIRST_SEED'] ?? 1)
const ATTEMPTS = 3
const PATIENCE_MS = 2_000
const BACK_WITHIN_MS = 600_000

/** What is wrong with one, and how often its answers fail then. */
interface Illness {
  readonly failure: FailureClass
  readonly part: number
  readonly restMs: number | null
}

const OF_CREDENTIALS: readonly Illness[] = [
  { failure: 'rate_limited', part: 1, restMs: 20_000 },
  { failure: 'credential', part: 1, restMs: null },
]
const OF_ALL: readonly Illness[] = [
  { failure: 'unreachable', part: 1, restMs: null },
  { failure: 'failed', part: 1, restMs: null },
  { failure: 'failed', part: 0.5, restMs: null },
  { failure: 'timed_out', part: 1, restMs: null },
  ...OF_CREDENTIALS,
]

/** What there is to choose from. Some twenty requests come in a minute, a tenth of them for all that are in doubt. */
interface Installation {
  readonly what: string
  /** While it is well none goes so long without a request, counted from when it has to be back at the latest. */
  readonly starvedAfterMs: number
  readonly availability: number
  readonly candidates: (random: () => number) => readonly Candidate[]
  readonly illnesses: readonly Illness[]
}

const INSTALLATIONS: readonly Installation[] = [
  {
    what: 'three upstreams',
    starvedAfterMs: 600_000,
    availability: 0.999,
    candidates: (random) => ['a', 'b', 'c'].map((name) => candidateByHand(name, { random })),
    illnesses: OF_ALL,
  },
  {
    what: 'two upstreams of four credentials each',
    starvedAfterMs: 1_800_000,
    availability: 0.999,
    candidates: (random) => ['a', 'b'].flatMap((name) => poolByHand(name, ['1', '2', '3', '4'], { random })),
    illnesses: OF_CREDENTIALS,
  },
  {
    what: 'one upstream of twenty credentials',
    starvedAfterMs: 3_600_000,
    availability: 0.999,
    candidates: (random) => {
      const names = Array.from({ length: 20 }, (_, i) => `${i}`)
      return poolByHand('a', names, { random })
    },
    illnesses: OF_CREDENTIALS,
  },
]

/** A candidate that may be asked, with its fate. */
class Fate {
  readonly candidate: Candidate
  illness: Illness | null = null
  changesAt: number
  wellSince = 0
  /** The last request to it while it rested or was held. */
  probedAt = -Infinity
  /** The last request to it at all. */
  askedAt = 0
  answersSinceWell = 0
  readonly #random: () => number
  readonly #illnesses: readonly Illness[]

  constructor(candidate: Candidate, illnesses: readonly Illness[], random: () => number) {
    this.#random = random
    this.#illnesses = illnesses
    this.candidate = candidate
    this.changesAt = random() * 3_600_000
  }

  /** Falls ill or recovers when its time has come; it falls ill only where another is well. */
  turn(now: number, others: readonly Fate[]): void {
    if (now < this.changesAt) return
    const mayFall = others.some((other) => other !== this && other.illness === null)
    if (this.illness === null && mayFall) {
      this.illness = this.#illnesses[Math.floor(this.#random() * this.#illnesses.length)] ?? null
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

const DAYS = INSTALLATIONS.flatMap((of) =>
  Array.from({ length: SEEDS }, (_, seed) => ({ ...of, seed: FIRST_SEED + seed })),
)

test.for(DAYS)(
  'a day of $what that fall ill by chance keeps the laws of routing (seed $seed)',
  ({ candidates, illnesses, starvedAfterMs, availability, seed }) => {
    const random = numbers(seed)
    const all = candidates(random)
    sortOnce(all)
    const fates = all.map((candidate) => new Fate(candidate, illnesses, random))
    let asked = 0
    let unanswered = 0
    const broken: string[] = []
    for (let now = 0; now < DAY_MS; now += random() * 6_000) {
      for (const fate of fates) fate.turn(now, fates)
      asked += 1
      if (!play(now, { all, fates, random, broken })) unanswered += 1
      for (const { candidate, wellSince, illness, answersSinceWell, askedAt } of fates) {
        const backAt = wellSince + BACK_WITHIN_MS
        if (illness !== null || now <= backAt) continue
        if (answersSinceWell === 0 && candidate.mayBeAskedAt(now) > now) {
          broken.push(`${nameOf(candidate)} still rests at ${now}`)
        } else if (now - Math.max(backAt, askedAt) > starvedAfterMs) {
          broken.push(`${nameOf(candidate)} is starved at ${now}`)
        }
      }
    }
    expect(broken.slice(0, 5)).toEqual([])
    expect(asked).toBeGreaterThan(20_000)
    expect(1 - unanswered / asked).toBeGreaterThanOrEqual(availability)
  },
)

/** One request, by the rules of the gateway's attempts. Returns whether it was answered. */
function play(
  startedAt: number,
  of: { all: readonly Candidate[]; fates: readonly Fate[]; random: () => number; broken: string[] },
): boolean {
  const { all, fates, random, broken } = of
  const tried = new Set<Fate>()
  let now = startedAt
  while (tried.size < ATTEMPTS) {
    const left = fates.filter((fate) => !tried.has(fate))
    const open = tried.size === 0 ? left : left.filter(({ candidate }) => candidate.upstream.retries.hasRoom(now))
    const candidates = tried.size === 0 ? all : open.map(({ candidate }) => candidate)
    const choice = chooseTarget(candidates, { now, random, affinity: null, callerId: null, isRetry: tried.size > 0 })
    if (choice.kind === 'none') return false
    if (choice.kind === 'rest') {
      if (choice.at - startedAt > PATIENCE_MS) return false
      now = choice.at
      continue
    }
    const fate = fates.find(({ candidate }) => candidate === choice.candidate)
    if (fate === undefined) return false
    const { candidate } = choice
    if (candidate.health.restsUntil !== 0 || candidate.credential.held !== null) {
      if (now - fate.probedAt < PROBE_EVERY_MS)
        broken.push(`${nameOf(candidate)} was probed twice in a second at ${now}`)
      fate.probedAt = now
    }
    fate.askedAt = now
    const isRetry = tried.size > 0
    tried.add(fate)
    candidate.upstream.retries.count(now, isRetry)
    candidate.begin(now)
    const isBad = fate.fails()
    const endsAt = now + 50
    if (isBad && fate.illness !== null) {
      const { failure, restMs } = fate.illness
      const callerId = `c${Math.floor(random() * 4)}`
      candidate.failed({ beganAt: now, now: endsAt }, { failure, restMs, callerId })
    } else {
      candidate.answered(now, endsAt)
      candidate.succeeded(now)
      fate.answersSinceWell += 1
    }
    candidate.end()
    if (!isBad) return true
    now = endsAt
  }
  return false
}

function nameOf({ target, credentialName }: Candidate): string {
  return `${target.upstreamId} ${credentialName ?? ''}`
}

function numbers(seed: number): () => number {
  let state = (seed * 48_271) % 2_147_483_647
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}
