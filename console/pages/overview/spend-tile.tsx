import type { ReactNode } from 'react'
import type { Overview } from '../../../src/contract/overview.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { changeOf } from '../../format/change.ts'
import { useFormat } from '../../format/use-format.ts'
import { OverviewTile } from './overview-tile.tsx'

type SpendSpan = keyof Overview['spend']

/** What was spent in a span, beside the same hours of the span before. */
export function SpendTile(props: {
  readonly span: SpendSpan
  readonly spend: Overview['spend'][SpendSpan]
}): ReactNode {
  const t = useTexts('overview').spend
  const format = useFormat()
  const { now, before } = props.spend
  const change = changeOf(now.cost, before.cost)
  const changed =
    change.kind === 'fresh'
      ? null
      : change.kind === 'same'
        ? t.same
        : format.percentChange(change.kind === 'more' ? change.by : -change.by)
  return (
    <OverviewTile
      title={t[props.span]}
      figure={<span title={format.exactMoney(now.cost)}>{format.money(now.cost)}</span>}
      aside={<span className="text-sm whitespace-nowrap text-ink-2">{changed}</span>}
    >
      <p>{t.before[props.span](format.money(before.cost))}</p>
      <p className="text-ink-3">
        {t.requests(now.requests, format.number(now.requests))}
        {now.failed > 0 && (
          <>
            {' · '}
            <span className="text-bad">{t.failed(now.failed, format.number(now.failed))}</span>
          </>
        )}
      </p>
    </OverviewTile>
  )
}
