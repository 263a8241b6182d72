import type { ReactNode } from 'react'
import type { UsageSummary } from '../../../src/contract/usage.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { classNames } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { usdOf } from '../../format/decimal.ts'
import { cachedShare, figuresOf } from './buckets.ts'

const FRAME = 'grid grid-cols-2 gap-x-4 gap-y-3 p-3 sm:grid-cols-3 sm:p-4 lg:grid-cols-5'

/** The five figures of the whole span. */
export function UsageTotals({ totals }: { readonly totals: UsageSummary['totals'] }): ReactNode {
  const t = useTexts('usage')
  const format = useFormat()
  const figures = figuresOf(totals)
  const cached = cachedShare(figures)
  const { requests, failed } = figures
  return (
    <dl className={FRAME}>
      <Total
        label={t.totals.cost}
        value={format.money(totals.cost)}
        note={requests === 0 ? '' : t.totals.perRequest(format.money(usdOf(figures.costNano / BigInt(requests))))}
      />
      <Total label={t.totals.requests} value={format.number(requests)} note="" />
      <Total
        label={t.totals.failed}
        value={format.number(failed)}
        note={requests === 0 ? '' : t.totals.failedOf(format.percent(failed / requests))}
        isBad={failed > 0}
      />
      <Total
        label={t.totals.tokens}
        value={format.compact(figures.inputTokens + figures.outputTokens)}
        note={t.totals.tokensSplit(format.compact(figures.inputTokens), format.compact(figures.outputTokens))}
      />
      <Total
        label={t.totals.cached}
        value={cached === null ? '–' : format.percent(cached)}
        note={cached === null ? '' : t.totals.cachedOf}
      />
    </dl>
  )
}

function Total(props: {
  readonly label: string
  readonly value: string
  readonly note: string
  readonly isBad?: boolean
}): ReactNode {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-ink-3">{props.label}</dt>
      <dd className={classNames('text-xl font-semibold tracking-tight', props.isBad === true && 'text-bad')}>
        {props.value}
      </dd>
      <dd className="min-h-5 text-sm break-keep text-ink-3">{props.note}</dd>
    </div>
  )
}

export function UsageTotalsSkeleton(): ReactNode {
  return (
    <div className={FRAME} aria-hidden="true">
      {Array.from({ length: 5 }, (_, index) => (
        <div key={index} className="h-17">
          <Skeleton className="my-0.5 h-4 w-16" />
          <Skeleton className="my-1 h-5 w-24" />
          <Skeleton className="my-1 h-3 w-20" />
        </div>
      ))}
    </div>
  )
}
