import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { meQuery } from '../../api/me.ts'
import { instanceQuery } from '../../api/instance.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { isZero } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { Section } from '../../ui/section.tsx'

/**
 * What is left to spend, and how much of it is held. `isPaidHere`: the card beside it takes payments, and leads elsewhere as
 * well, so that there is one way to begin.
 */
export function BalanceCard({ isPaidHere }: { readonly isPaidHere: boolean }): ReactNode {
  const t = useTexts('billing')
  const format = useFormat()
  const { data: me } = useSuspenseQuery(meQuery)
  const place = useQuery(instanceQuery)
  const topUp = isPaidHere ? null : (place.data?.top_up_url ?? null)
  const isUsedUp = isZero(me.balance) || me.balance.startsWith('-')
  return (
    <Section title={t.balance}>
      {/* High enough for the button, which is known later: what stands below is not moved by it. */}
      <div className="flex min-h-8.5 flex-wrap items-center justify-between gap-x-4 gap-y-2 touch:min-h-11">
        <p
          className={classNames('text-2xl font-semibold tracking-tight', isUsedUp && 'text-bad')}
          title={format.exactMoney(me.balance)}
        >
          {format.money(me.balance)}
        </p>
        {topUp !== null && (
          <a href={topUp} target="_blank" rel="noreferrer" className={buttonClass('primary')}>
            {t.topUp}
            <Icon name="external" />
          </a>
        )}
      </div>
      {isUsedUp && <p className="mt-1 text-ink-2">{t.empty}</p>}
      <dl className="mt-3 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
        <dt className="text-ink-2">{t.exact}</dt>
        <dd className="text-right">{format.exactMoney(me.balance)}</dd>
        <dt className="text-ink-2">{t.held}</dt>
        <dd className="text-right">{format.exactMoney(me.held)}</dd>
      </dl>
    </Section>
  )
}
