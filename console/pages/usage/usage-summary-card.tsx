import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { UsageSummaryView } from '../../../src/contract/usage.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { usdOf } from '../../format/decimal.ts'
import { localInputOf } from '../../format/local-time.ts'
import { formatTimeZone } from '../../format/time.ts'
import { isAlarming } from '../../format/failures.ts'
import { useFormat } from '../../format/use-format.ts'
import { usePreferences } from '../../preferences.ts'
import { classNames } from '../../ui/class-names.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useIsPhone } from '../../ui/use-media.ts'
import { useNow } from '../../ui/use-now.ts'
import { bucketsOf, cachedShare, figuresOf } from './buckets.ts'
import { ChartControls } from './chart-controls.tsx'
import { lastMomentOf } from './span.ts'
import { UsageChart } from './usage-chart.tsx'
import type { UsageView } from './use-usage-search.ts'

/** The sums of the span: five figures, and how they came together over time. */
export function UsageSummaryCard(props: {
  readonly view: UsageView
  readonly summary: UseQueryResult<UsageSummaryView>
  /** The colours of the series; undefined: not known yet. */
  readonly slots: ReadonlyMap<string, number> | undefined
}): ReactNode {
  const t = useTexts('usage')
  const { sentences } = useSharedTexts()
  const { view, summary, slots } = props
  const { data, error } = summary
  const format = useFormat()
  const { language } = usePreferences()
  const nowMs = useNow()
  const isPhone = useIsPhone()
  const { minutes } = view.offset
  const shown = useMemo(
    () => (data === undefined || slots === undefined ? undefined : bucketsOf(data, minutes, slots)),
    [data, minutes, slots],
  )
  if (data === undefined && error !== null) return <ErrorState error={error} onRetry={() => void summary.refetch()} />
  return (
    <section aria-label={t.summary} className="card min-w-0" aria-busy={summary.isFetching}>
      {data === undefined ? <UsageTotalsSkeleton /> : <UsageTotals totals={data.totals} />}
      <div
        className={classNames(
          'border-t border-line p-3 transition-opacity sm:p-4',
          summary.isPlaceholderData && 'opacity-60',
        )}
      >
        {isPhone && (
          <div className="mb-3 flex flex-wrap gap-2">
            <ChartControls view={view} />
          </div>
        )}
        {data === undefined || shown === undefined ? (
          <ChartSkeleton />
        ) : (
          <UsageChart view={view} shown={shown} by={data.by} />
        )}
      </div>
      <p className="px-3 pb-3 text-sm text-ink-3 sm:px-4">
        {sentences([
          t.zone(formatTimeZone(view.timeZone, language, lastMomentOf(view.span, nowMs))),
          ...(data !== undefined && isWidened(view, data)
            ? [t.widened(format.time(data.from), format.time(data.to))]
            : []),
          ...(view.offset.isShifted && data?.by === 'day'
            ? [t.shiftedDays(localInputOf(Date.parse(data.from), view.timeZone).slice(11))]
            : []),
        ])}
      </p>
    </section>
  )
}

/** Sums are of whole hours or days: moments of the reader's own may lie within one. */
function isWidened({ search, span }: UsageView, data: UsageSummaryView): boolean {
  if (search.span.name !== 'custom') return false
  const isFromOther = Date.parse(data.from) !== Date.parse(span.from)
  return isFromOther || (span.to !== null && Date.parse(data.to) !== Date.parse(span.to))
}

/** The room of chart and legend. */
function ChartSkeleton(): ReactNode {
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_17rem]">
      <Skeleton className="h-64 rounded-lg" />
      <Skeleton className="h-64 rounded-lg" />
    </div>
  )
}

const FRAME = 'grid grid-cols-2 gap-x-4 gap-y-3 p-3 sm:grid-cols-3 sm:p-4 lg:grid-cols-5'

/** The five figures of the whole span. */
function UsageTotals({ totals }: { readonly totals: UsageSummaryView['totals'] }): ReactNode {
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
        isBad={isAlarming({ failed, requests })}
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

function UsageTotalsSkeleton(): ReactNode {
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
