import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Overview } from '../../../src/contract/overview.ts'
import { useTexts } from '../../dictionaries/texts.ts'
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
          {format.money(balance.amount)}
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
