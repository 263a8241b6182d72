import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { meQuery } from '../../../api/me.ts'
import { instanceQuery } from '../../../api/instance.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { AskAdmin } from '../../faults/ask-admin.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { RedeemBox } from '../../billing/redeem-card.tsx'
import { StepItem } from './step-item.tsx'

const OwnCredit = lazyPart(() => import('./own-credit.tsx'), undefined, { isForFew: true })

/**
 * The step before all others, for an account that nothing would pay for: those who may credit it do so here; others redeem
 * a code, see where credit can be bought, or whom to ask. It stays, as done, once there is money.
 */
export default function AddCreditStep({ isNeeded }: { readonly isNeeded: boolean }): ReactNode {
  const t = useTexts('start').credit
  const mayCredit = useMay('books')
  return (
    <StepItem number={0} title={t.title} state={isNeeded ? 'now' : 'done'}>
      {mayCredit ? (
        isNeeded && (
          <div className="grid grid-cols-1 gap-3">
            <p className="text-ink-2">{t.why}</p>
            <OwnCredit />
          </div>
        )
      ) : (
        <AskForCredit isNeeded={isNeeded} />
      )}
    </StepItem>
  )
}

function AskForCredit({ isNeeded }: { readonly isNeeded: boolean }): ReactNode {
  const t = useTexts('start').credit
  const { data: me } = useSuspenseQuery(meQuery)
  const topUp = useQuery(instanceQuery).data?.top_up_url ?? null
  return (
    <div className="grid grid-cols-1 gap-3">
      {isNeeded && <p className="text-ink-2">{t.why}</p>}
      <RedeemBox />
      {isNeeded && (
        <div className="flex flex-wrap items-center gap-2">
          {topUp !== null && (
            <a href={topUp} target="_blank" rel="noreferrer" className={buttonClass('secondary')}>
              {t.buy}
              <Icon name="external" />
            </a>
          )}
          <AskAdmin message={{ subject: t.title, words: [t.message(me.email)], facts: [] }} />
          <span className="text-sm text-ink-3">{t.ask}</span>
        </div>
      )}
    </div>
  )
}
