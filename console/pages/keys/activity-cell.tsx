import type { ReactNode } from 'react'
import type { KeyActivityAnswer } from '../../../src/contract/key-report.ts'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import { Sparkline } from '../../chart/sparkline.tsx'
import { useTexts } from '../../dictionaries/texts.ts'
import { sumOf } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { useNow } from '../../ui/use-now.ts'
import { KEY_DAYS, todayOf } from './key-days.ts'

/** What the keys of a page used lately, by their ids; undefined: not known yet. */
export type KeyActivities = ReadonlyMap<string, KeyActivityAnswer['data'][number]['days']> | undefined

/** The last thirty days of a key at a glance, with what today cost. */
export function ActivityCell(props: { readonly apiKey: ApiKeyView; readonly activities: KeyActivities }): ReactNode {
  const t = useTexts('keys').activity
  const format = useFormat()
  const nowMs = useNow()
  const { apiKey, activities } = props
  const days = activities?.get(apiKey.id) ?? []
  const today = todayOf(days, nowMs)
  return (
    <span className="inline-grid gap-0.5 whitespace-nowrap max-lg:justify-items-end">
      <Sparkline
        days={days}
        count={KEY_DAYS}
        until={nowMs}
        label={t.label(apiKey.name, format.money(sumOf(days.map(({ cost }) => cost))))}
        className="h-4 w-20"
      />
      <span className="min-h-4 text-xs text-ink-3">
        {activities === undefined ? '' : t.today(format.money(today?.cost ?? '0'))}
      </span>
    </span>
  )
}
