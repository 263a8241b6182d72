import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_COUNTS } from '../../core/counted-limits.ts'
import type { CountedUse } from './counted-use.ts'
import { KeyLimits } from './key-limits.ts'
import { SharedUses, sharedUsesMemory } from './shared-uses.ts'

const PART_MS = 250
/** A part of a quarter of a second counts as a whole, so a minute is that much longer. */
const MINUTE_PARTS = 241

interface ModelEntry {
  overdraft: number
  /** Tokens by part. */
  readonly counted: Map<number, number>
}

/**
 * The limit on tokens as the documentation tells it, in the plainest words: parts that are added up anew each time, walked
 * one by one.
 */
class TokenModel {
  readonly #max: number
  readonly #entries: ModelEntry[] = []
  /** Whether there was ever an overdraft. */
  hasOwed = false
  #running = 0
  #now = 0

  constructor(max: number) {
    this.#max = max
  }

  used(elapsed: number): number {
    this.#walk(elapsed)
    const parts = this.#entries.flatMap(({ counted }) => [...counted])
    return parts.reduce((sum, [part, tokens]) => sum + (part > this.#now - MINUTE_PARTS ? tokens : 0), 0)
  }

  lets(elapsed: number, { input, output }: { input: number; output: number }): boolean {
    return this.used(elapsed) + input + (this.#running > 0 ? output : 0) <= this.#max
  }

  begin(elapsed: number, tokens: number): ModelEntry {
    const entry: ModelEntry = { overdraft: 0, counted: new Map() }
    const room = Math.max(0, this.#max - this.used(elapsed))
    this.#entries.push(entry)
    this.#running += 1
    this.#take(entry, Math.min(tokens, room))
    this.#overdraw(entry, tokens - room)
    return entry
  }

  end(elapsed: number, entry: ModelEntry, difference: number): void {
    const room = Math.max(0, this.#max - this.used(elapsed))
    this.#running -= 1
    if (difference > 0) {
      this.#take(entry, Math.min(difference, room))
      this.#overdraw(entry, difference - room)
      return
    }
    let less = -difference
    const ofOverdraft = Math.min(less, entry.overdraft)
    entry.overdraft -= ofOverdraft
    less -= ofOverdraft
    for (const [part, tokens] of [...entry.counted].toReversed()) {
      entry.counted.set(part, tokens - Math.min(less, tokens))
      less -= Math.min(less, tokens)
    }
  }

  #overdraw(entry: ModelEntry, tokens: number): void {
    if (tokens <= 0) return
    entry.overdraft += tokens
    this.hasOwed = true
  }

  #take(entry: ModelEntry, tokens: number): void {
    if (tokens === 0) return
    entry.counted.set(this.#now, (entry.counted.get(this.#now) ?? 0) + tokens)
  }

  #walk(elapsed: number): void {
    const now = Math.floor(elapsed / PART_MS)
    while (this.#now < now) {
      this.#now += 1
      for (const entry of this.#entries) {
        if (entry.overdraft === 0) continue
        const paid = Math.min(entry.overdraft, Math.max(0, this.#max - this.used(this.#now * PART_MS)))
        this.#take(entry, paid)
        entry.overdraft -= paid
      }
    }
  }
}

const steps = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 0, max: 20_000 }),
    // No body is empty. One without any input would be let in while there is an overdraft.
    input: fc.integer({ min: 1, max: 60 }),
    output: fc.integer({ min: 0, max: 400 }),
    /** The share that is used of what it may use. Upstreams exist that take no notice of limits. */
    percent: fc.integer({ min: 0, max: 120 }),
    runsMs: fc.integer({ min: 0, max: 150_000 }),
  }),
  { maxLength: 15 },
)

interface Running {
  readonly until: number
  readonly use: CountedUse
  readonly entry: ModelEntry
  readonly estimated: number
  readonly really: number
}

/*
 * Threads that count together have one overdraft, so what a request that ends early gives back may have counted elsewhere in the
 * minute than the model has it. Until there is an overdraft they agree with it; from then on the laws hold that the model is for.
 */
test.for(['one thread', 'three threads'] as const)(
  'tokens are let in, counted, corrected and overdrawn as the model says, by %s',
  (threads) => {
    const isShared = threads === 'three threads'
    fc.assert(
      fc.property(steps, fc.integer({ min: 50, max: 200 }), (sequence, max) => {
        const time = { elapsed: 0 }
        const clock = { now: () => time.elapsed, elapsed: () => time.elapsed }
        const memory = sharedUsesMemory()
        const uses = isShared ? [0, 1, 2].map((thread) => new SharedUses(memory, thread)) : [undefined]
        const ofThreads = uses.map(
          (each) => new KeyLimits({ clock, share: () => ({ index: 0, count: 1 }), ...(each && { uses: each }) }),
        )
        let turn = 0
        const limits = {
          refusal: (...args: Parameters<KeyLimits['refusal']>) => next().refusal(...args),
          states: (...args: Parameters<KeyLimits['states']>) => next().states(...args),
          begin: (...args: Parameters<KeyLimits['begin']>) => next().begin(...args),
        }
        const next = () => ofThreads[turn++ % ofThreads.length] ?? expect.unreachable()
        const key = { id: 'key', rateLimit: { ...NO_COUNTS, tokensPerMinute: max } }
        const model = new TokenModel(max)
        let running: Running[] = []
        let ended = 0
        let largest = 0
        const finish = (until: number) => {
          for (const each of running.filter((one) => one.until <= until).sort((a, b) => a.until - b.until)) {
            time.elapsed = each.until
            each.use.end(each.really)
            model.end(time.elapsed, each.entry, each.really - each.estimated)
            ended += each.really
          }
          running = running.filter((one) => one.until > until)
          time.elapsed = until
        }
        for (const { afterMs, input, output, percent, runsMs } of sequence) {
          finish(time.elapsed + afterMs)
          const refusal = limits.refusal(key, { input, output })
          const used = limits.states(key)[0]?.used
          expect(used).toBeGreaterThanOrEqual(0)
          if (!isShared || !model.hasOwed) {
            expect(used).toBe(model.used(time.elapsed))
            expect(refusal === null).toBe(model.lets(time.elapsed, { input, output }))
          }
          if (refusal === null) {
            // What was used until now has been paid for, at the limit's rate; but for what is counted of this minute.
            expect(ended + input).toBeLessThanOrEqual(max * (time.elapsed / 60_000 + 1) + largest)
            const use = limits.begin(key, { input, output })
            const estimated = input + output
            const really = Math.floor((estimated * percent) / 100)
            const entry = model.begin(time.elapsed, estimated)
            if (use !== null) running.push({ until: time.elapsed + runsMs, use, entry, estimated, really })
            largest = Math.max(largest, really - max)
          } else if (running.length === 0 && Number.isFinite(refusal.waitMs)) {
            if (refusal.waitMs > 1) {
              time.elapsed += refusal.waitMs - 1
              expect(limits.refusal(key, { input, output })).not.toBeNull()
              time.elapsed += 1
            } else time.elapsed += refusal.waitMs
            expect(limits.refusal(key, { input, output })).toBeNull()
          }
        }
        finish(time.elapsed + 150_000)
        const restingMs = limits.states(key)[0]?.resetMs ?? 0
        expect(restingMs).toBeLessThan(Infinity)
        time.elapsed += restingMs
        expect(limits.states(key)[0]?.used).toBe(0)
      }),
      { numRuns: 400 },
    )
  },
)
