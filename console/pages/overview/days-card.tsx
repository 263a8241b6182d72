import type { ReactNode } from 'react'
import type { Overview } from '../../../src/contract/overview.ts'
import { Sparkline } from '../../chart/sparkline.tsx'
import { useTexts } from '../../dictionaries/texts.ts'
import { sumOf } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { Section } from '../../ui/section.tsx'

const DAYS = 30

/** What each of the last thirty days cost. */
export function DaysCard({ days, asOf }: Pick<Overview, 'days'> & { readonly asOf: string }): ReactNode {
  const t = useTexts('overview').spend
  const format = useFormat()
  const [dearest] = [...days].sort((a, b) => Number(b.cost) - Number(a.cost))
  const total = format.money(sumOf(days.map(({ cost }) => cost)))
  return (
    <Section title={t.days} actions={<span className="text-lg font-medium">{total}</span>}>
      {dearest === undefined ? (
        <p className="text-ink-2">{t.noDays}</p>
      ) : (
        <>
          <Sparkline
            days={days}
            count={DAYS}
            until={Date.parse(asOf)}
            label={t.sparkline(total, format.date(dearest.at), format.money(dearest.cost))}
            className="h-20 w-full"
          />
          <p className="mt-2 text-sm text-ink-3">{t.dearest(format.date(dearest.at), format.money(dearest.cost))}</p>
        </>
      )}
    </Section>
  )
}
