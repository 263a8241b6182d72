import { DAY_MS, HOUR_MS } from '../../core/durations.ts'
import type { ServiceHours } from '../../metering/usage/served-hours.ts'

/** Fewer streamed answers in a sample say nothing. */
const FEWEST_ANSWERS = 5
/** Samples of an hour and of a day: at most 2,000 and 4,800 records. */
const HOUR_SLICES = { slices: 10, perSlice: 200 }
const DAY_SLICES = { slices: 24, perSlice: 200 }
const MOST_SPANS = 100

/** How long streamed answers of one model took to begin, in milliseconds, to two digits. */
export interface Latency {
  readonly p50: number
  readonly p95: number
}

type ByModel = ReadonlyMap<string, Latency>

/** Samples of hours and days that are over do not change, so each is taken once. */
export class LatencyMemory {
  readonly #over = new Map<string, ByModel>()

  /** Latencies of the span that begins at `fromMs`, as far as it has passed at `nowMs`. */
  async of(step: 'hour' | 'day', fromMs: number, about: { nowMs: number; service: ServiceHours }): Promise<ByModel> {
    const name = `${step} ${fromMs}`
    const known = this.#over.get(name)
    if (known !== undefined) return known
    const endMs = fromMs + (step === 'hour' ? HOUR_MS : DAY_MS)
    const toMs = Math.min(endMs, about.nowMs)
    const sample = await about.service.sampledFirstBytes({
      fromMs,
      toMs,
      ...(step === 'hour' ? HOUR_SLICES : DAY_SLICES),
    })
    const found = new Map(
      [...sample].flatMap(([model, times]) => {
        const latency = latencyOf(times)
        return latency === null ? [] : [[model, latency] as const]
      }),
    )
    // Requests of the last hour may still be under way at its end.
    if (endMs + HOUR_MS <= about.nowMs) this.#keep(name, found)
    return found
  }

  #keep(name: string, found: ByModel): void {
    const [oldest] = this.#over.size < MOST_SPANS ? [] : this.#over.keys()
    if (oldest !== undefined) this.#over.delete(oldest)
    this.#over.set(name, found)
  }
}

/** null: there are too few to say. */
export function latencyOf(times: readonly number[]): Latency | null {
  if (times.length < FEWEST_ANSWERS) return null
  const sorted = times.toSorted((a, b) => a - b)
  const at = (percent: number): number => rounded(sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0)
  return { p50: at(50), p95: at(95) }
}

/** Rounds to two digits: 1,234 is 1,200. */
function rounded(ms: number): number {
  return Math.round(Number(ms.toPrecision(2)))
}
