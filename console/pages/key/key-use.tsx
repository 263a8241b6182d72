import type { ReactNode } from 'react'
import type { KeyReport } from '../../../src/contract/key-report.ts'
import { Sparkline } from '../../chart/sparkline.tsx'
import { useTexts } from '../../dictionaries/texts.ts'
import { sumOf } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { DetailList } from '../../ui/detail-list.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useClientNames } from '../client-names.ts'
import { KEY_DAYS, todayOf } from '../keys/key-days.ts'

/** What a key cost today, day by day and ever, and who used it last. */
export function KeyUse({ report }: { readonly report: KeyReport }): ReactNode {
  const texts = useTexts('keys')
  const t = useTexts('key').detail
  const format = useFormat()
  const nowMs = useNow()
  const nameOf = useClientNames()
  const { key, days, ever, requests } = report
  const total = sumOf(days.map(({ cost }) => cost))
  const today = todayOf(days, nowMs)
  const [last] = requests
  const figures = (cost: string, count: number): string =>
    t.figures(format.money(cost), t.requestCount(count, format.number(count)))
  return (
    <Section title={t.use} lead={t.perDay}>
      <Sparkline
        days={days}
        count={KEY_DAYS}
        until={nowMs}
        label={texts.activity.label(key.name, format.money(total))}
        className="mb-4 h-16 w-full"
      />
      <DetailList
        rows={[
          { label: t.today, value: figures(today?.cost ?? '0', today?.requests ?? 0) },
          {
            label: t.days,
            value: figures(
              total,
              days.reduce((sum, each) => sum + each.requests, 0),
            ),
          },
          { label: t.ever, value: figures(ever.cost, ever.requests) },
          { label: texts.columns.lastUsed, value: <RelativeTime time={key.last_used_at} never={texts.neverUsed} /> },
          { label: t.lastModel, value: last?.model ?? '–' },
          {
            label: t.lastClient,
            value: <span title={last?.client ?? undefined}>{nameOf(last?.client ?? null) ?? '–'}</span>,
          },
          { label: t.lastAddress, value: report.last_address ?? '–' },
        ]}
      />
    </Section>
  )
}
