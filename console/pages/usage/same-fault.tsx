import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { sameFaultQuery } from '../../api/usage.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { startOfDay, timeText, timeZoneHere } from '../../format/local-time.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'

/** How often the same error came on the same day of the reader's calendar, with the way to those requests. */
export function SameFault({ record, fault }: { readonly record: UsageRecordView; readonly fault: string }): ReactNode {
  const t = useTexts('record')
  const format = useFormat()
  const zone = timeZoneHere()
  const atMs = Date.parse(record.created_at)
  const day = { from: timeText(startOfDay(atMs, zone)), to: timeText(startOfDay(atMs, zone, 1)) }
  const found = useQuery(sameFaultQuery({ fault, ...day })).data
  if (found === undefined) return <p className="min-h-5 text-sm" />
  const others = found.count - 1
  if (others < 1) return <p className="text-sm text-ink-3">{t.sameNone}</p>
  return (
    <p className="text-sm">
      <Link to={PATHS.usage} search={{ fault, ...day }} className="text-accent hover:underline">
        {t.sameMore(format.number(others), found.isMore)}
      </Link>
    </p>
  )
}
