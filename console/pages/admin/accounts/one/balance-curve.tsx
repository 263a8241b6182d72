import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import { accountDaysQuery } from '../../../../api/accounts.ts'
import { oneAccountDictionary } from '../../../../dictionaries/one-account.ts'
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
  const t = oneAccountDictionary.useTexts().curve
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
          d={stepsOf(balances)}
          className="fill-none stroke-accent"
          strokeWidth={2}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </Section>
  )
}

/** A balance stays until it changes: steps, and the last one goes on to the edge. From 0, or from below it. */
function stepsOf(balances: readonly DayBalance[]): string {
  const times = balances.map(({ at }) => Date.parse(at))
  const start = times[0] ?? 0
  const span = (times.at(-1) ?? 0) + DAY_MS - start
  const most = balances.reduce((max, { balance }) => (balance > max ? balance : max), 0n)
  const least = balances.reduce((min, { balance }) => (balance < min ? balance : min), 0n)
  const range = Number(most - least) || 1
  const steps = balances.map(({ balance }, index) => {
    const x = (((times[index] ?? 0) - start) / span) * WIDTH
    const y = HEIGHT - (Number(balance - least) / range) * HEIGHT
    return index === 0 ? `M${x.toFixed(1)} ${y.toFixed(1)}` : `H${x.toFixed(1)}V${y.toFixed(1)}`
  })
  return `${steps.join('')}H${WIDTH}`
}
