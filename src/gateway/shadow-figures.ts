import { METRIC_SERIES_LIMIT } from '../core/limits.ts'
import type { ShadowRefusal } from '../routing/candidate.ts'
import type { Value } from '../telemetry/figures.ts'

/** Where an attempt went, by the names of what is configured. */
export interface ShadowedAttempt {
  readonly upstream: string
  readonly credential: string
  /** The model's public name, and its name at the upstream. */
  readonly model: string
  readonly upstreamModel: string
}

interface Series {
  readonly labels: readonly string[]
  count: number
  lastAtMs: number
}

/** How often each rule in shadow would have refused, in this thread since it began, and when it would have last. */
export class ShadowFigures {
  readonly #series = new Map<string, Series>()

  /** `nowMs`: epoch milliseconds. */
  count(attempt: ShadowedAttempt, refusals: readonly ShadowRefusal[], nowMs: number): void {
    for (const refusal of refusals) {
      const labels = labelsOf(attempt, refusal)
      const key = labels.join('\n')
      const series = this.#series.get(key)
      if (series !== undefined) {
        series.count += 1
        series.lastAtMs = nowMs
      } else if (this.#series.size < METRIC_SERIES_LIMIT) this.#series.set(key, { labels, count: 1, lastAtMs: nowMs })
    }
  }

  read(): readonly Value[] {
    return [...this.#series.values()].flatMap(({ labels, count, lastAtMs }) => [
      { of: 'shadowRefusals' as const, labels, value: count },
      { of: 'shadowRefusedAt' as const, labels, value: lastAtMs / 1_000 },
    ])
  }
}

/** The labels in the families' order: those that say nothing of what the rule is set on are empty. */
function labelsOf(
  { upstream, credential, model, upstreamModel }: ShadowedAttempt,
  { rule, of }: ShadowRefusal,
): readonly string[] {
  if (of === 'credential') return [rule, upstream, credential, '', '']
  return of === 'target' ? [rule, upstream, '', model, upstreamModel] : [rule, upstream, '', '', '']
}
