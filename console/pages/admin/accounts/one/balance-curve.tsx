import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import { accountDaysQuery } from '../../../../api/accounts.ts'
import { stepLine } from '../../../../chart/step-line.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { usdOf } from '../../../../format/decimal.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { Section } from '../../../../ui/section.tsx'
import { Skeleton } from '../../../../ui/skeleton.tsx'
import { dayBalances, type DayBalance } from './day-balances.ts'

const WIDTH = 600
const HEIGHT = 80
const DAY_MS = 86_400_000

/** How the balance went in the last month in which it changed; the words say what the line shows. */
export function BalanceCurve({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts('oneAccount').curve
  const format = useFormat()
  const { data: days, isPending } = useQuery(accountDaysQuery(account.id))
  if (isPending) return <Skeleton className="h-40 rounded-lg" />
  const balances = days === undefined ? [] : dayBalances(days, account.balance)
  const [first] = balances
  const last = balances.at(-1)
  if (first === undefined || last === undefined) return null
  const amounts = balances.map(({ balance }) => balance).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const money = (amount: bigint | undefined): string => format.money(usdOf(amount ?? 0n))
  const span = { from: format.date(first.at), to: format.date(last.at) }
  const label = t.text(span, money(amounts[0]), money(amounts.at(-1)))
  return (
    <Section title={t.title} lead={label}>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-20 w-full overflow-visible"
      >
        <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} className="stroke-line" vectorEffect="non-scaling-stroke" />
        <path
          d={lineOf(balances)}
          className="fill-none stroke-accent"
          strokeWidth={2}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </Section>
  )
}

/** The steps of so many days, the last of which goes on to its end. */
function lineOf(balances: readonly DayBalance[]): string {
  const steps = balances.map(({ at, balance }) => ({ at: Date.parse(at), amount: balance }))
  const toMs = (steps.at(-1)?.at ?? 0) + DAY_MS
  return stepLine(steps, { fromMs: steps[0]?.at ?? 0, toMs, width: WIDTH, height: HEIGHT })
}
