import type { ReactNode } from 'react'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'
import type { SpendOfUpstream } from '../../../api/upstream-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { isZero } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'
import { AlignedAmount } from '../../../ui/aligned-amount.tsx'
import { spentOf } from './spent-of.ts'

/** Caps are whole cents. */
const CAP_PLACES = 2

/** What was spent at an upstream today, of its cap where it has one. `spend`: null: nothing, or not known yet. */
export function SpendToday(props: {
  readonly upstream: Pick<UpstreamView, 'spend_caps'>
  readonly spend: SpendOfUpstream | null
}): ReactNode {
  const t = useTexts('upstreams')
  const format = useFormat()
  const { upstream, spend } = props
  const cap = upstream.spend_caps.find(({ model }) => model === null)
  if (cap !== undefined) {
    const used = t.ofLimit(format.money(cap.spent_today), format.money(cap.spend_per_day))
    return <AlignedAmount shown={cap.shadow ? t.shadow.cap(used) : used} places={CAP_PLACES} />
  }
  if (spend === null) return <span className="text-ink-3">–</span>
  const { amount, known } = spentOf(spend)
  return (
    <>
      <AlignedAmount shown={format.money(amount)} places={CAP_PLACES} />
      {!isZero(amount) && (
        <span className="block text-xs whitespace-nowrap text-ink-3" title={t.spending[known].text}>
          {t.spending[known].name}
        </span>
      )}
    </>
  )
}
