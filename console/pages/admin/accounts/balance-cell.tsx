import type { ReactNode } from 'react'
import type { ListedAccountView } from '../../../../src/contract/accounts.ts'
import { stepLine } from '../../../chart/step-line.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { nanoOf } from '../../../format/decimal.ts'
import { useFormat } from '../../../format/use-format.ts'
import { AlignedAmount } from '../../../ui/aligned-amount.tsx'
import { useNow } from '../../../ui/use-now.ts'

const DAY_MS = 86_400_000
const SPAN_MS = 30 * DAY_MS
const WIDTH = 80
const HEIGHT = 14

/** What the balance is, and at a glance how it went in thirty days. `places`: of the longest balance on the page. */
export function BalanceCell(props: { readonly account: ListedAccountView; readonly places: number }): ReactNode {
  const { balance, balance_30d: went, email } = props.account
  const t = useTexts('accounts')
  const format = useFormat()
  const nowMs = useNow()
  return (
    <span className="inline-grid justify-items-end gap-1">
      <AlignedAmount shown={format.money(balance)} places={props.places} title={format.exactMoney(balance)} />
      {went.days.length > 0 && (
        <svg
          role="img"
          aria-label={t.balance30d(email, format.money(went.before), format.money(balance))}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-3.5 w-20 overflow-visible"
        >
          <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} className="stroke-line" vectorEffect="non-scaling-stroke" />
          <path
            d={lineOf(went, nowMs)}
            className="fill-none stroke-accent"
            strokeWidth={1.5}
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      )}
    </span>
  )
}

/** A day's balance is that of its end; today's is that of now. */
function lineOf({ before, days }: ListedAccountView['balance_30d'], nowMs: number): string {
  const steps = [
    { at: nowMs - SPAN_MS, amount: nanoOf(before) },
    ...days.map(({ at, balance }) => ({ at: Date.parse(at), amount: nanoOf(balance) })),
  ]
  return stepLine(steps, { fromMs: nowMs - SPAN_MS, toMs: nowMs, width: WIDTH, height: HEIGHT })
}
