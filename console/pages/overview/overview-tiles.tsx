import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Overview } from '../../../src/contract/overview.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { changeOf } from '../../format/change.ts'
import { isAlarming } from '../../format/failures.ts'
import { isZero } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { OverviewTile } from './overview-tile.tsx'

/** The number of days left from which it is a warning. */
const FEW_DAYS = 7
/** Longer than anyone plans for. */
const YEARS_DAYS = 1_000

/** What is left, and for how long at the pace of the last days. */
export function BalanceTile({ balance }: { readonly balance: Overview['balance'] }): ReactNode {
  const t = useTexts('overview').balance
  const format = useFormat()
  const isUsedUp = isZero(balance.amount) || balance.amount.startsWith('-')
  const { days_left: days } = balance
  return (
    <OverviewTile
      title={t.title}
      figure={
        <span className={classNames(isUsedUp && 'text-bad')} title={format.exactMoney(balance.amount)}>
          {format.roughMoney(balance.amount)}
        </span>
      }
      aside={
        <Link to={PATHS.billing} className="text-sm text-accent hover:underline">
          {t.add}
        </Link>
      }
    >
      {isUsedUp ? (
        <p>{t.usedUp}</p>
      ) : days === null ? (
        <p>{t.noPace}</p>
      ) : (
        <p>
          <Badge tone={days < FEW_DAYS ? 'warn' : 'neutral'}>
            {days > YEARS_DAYS ? t.yearsLeft : t.daysLeft(String(days))}
          </Badge>{' '}
          {t.atPace(format.money(balance.per_day))}
        </p>
      )}
      {!isZero(balance.held) && <p className="text-ink-3">{t.held(format.money(balance.held))}</p>}
    </OverviewTile>
  )
}

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
      figure={<span title={format.exactMoney(now.cost)}>{format.roughMoney(now.cost)}</span>}
      aside={<span className="text-sm whitespace-nowrap text-ink-2">{changed}</span>}
    >
      <p>{t.before[props.span](format.roughMoney(before.cost))}</p>
      <p className="text-ink-3">
        {t.requests(now.requests, format.number(now.requests))}
        {now.failed > 0 && (
          <>
            {' · '}
            <span className={classNames(isAlarming(now, before) && 'text-bad')}>
              {t.failed(now.failed, format.number(now.failed))}
            </span>
          </>
        )}
      </p>
    </OverviewTile>
  )
}
