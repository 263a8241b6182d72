import type { ShadowCount } from '../../control/parts.ts'
import { type Figures, merged } from '../../telemetry/figures.ts'

/** How often rules in shadow would have refused, by the figures of all threads. */
export function shadowCountsIn(figures: readonly Figures[]): readonly ShadowCount[] {
  const own = figures.map(({ values }) => ({
    values: values.filter(({ of }) => of === 'shadowRefusals' || of === 'shadowRefusedAt'),
    distributions: [],
  }))
  const { values } = merged(own)
  const lastAt = new Map(
    values.flatMap(({ of, labels, value }) => (of === 'shadowRefusedAt' ? [[labels.join('\n'), value] as const] : [])),
  )
  return values.flatMap(({ of, labels, value }): ShadowCount[] => {
    if (of !== 'shadowRefusals') return []
    const [rule = '', upstream = '', credential = '', model = '', upstreamModel = ''] = labels
    // 0: it never did.
    const at = lastAt.get(labels.join('\n')) ?? 0
    return [
      {
        rule,
        upstream,
        credential,
        model,
        upstreamModel,
        refusals: value,
        lastAt: at === 0 ? null : Math.round(at * 1_000),
      },
    ]
  })
}
