import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { type PageTexts, useTexts } from '../../dictionaries/texts.ts'
import { isZero } from '../../format/money.ts'
import { ClientReceived } from '../faults/client-received.tsx'
import { FaultFixes } from '../faults/fault-fixes.tsx'
import { useFaultText } from '../faults/use-fault-text.ts'
import { FaultCode } from '../../ui/fault-code.tsx'
import { Notice } from '../../ui/notice.tsx'

/** How it ended and, where something went wrong, why and what to do. Nothing for what just went well. */
export function RecordFault({ record }: { readonly record: UsageRecordView }): ReactNode {
  const r = useTexts('record')
  const text = useFaultText(record)
  const sentence = outcomeText(record, r)
  if (record.fault === null) {
    if (sentence === null) return null
    return <Notice tone={record.outcome === 'interrupted' ? 'warn' : 'neutral'}>{sentence}</Notice>
  }
  return (
    <Notice
      tone={record.outcome === 'completed' ? 'warn' : 'bad'}
      title={text?.title ?? record.fault}
      action={<FaultFixes request={record} isWithoutFacts />}
    >
      <p>{text?.cause ?? r.unknownFault}</p>
      {text !== null && <p className="mt-1.5">{text.remedy}</p>}
      {sentence !== null && <p className="mt-1.5 text-ink-2">{sentence}</p>}
      <p className="mt-1.5 flex flex-wrap items-center gap-2 text-sm text-ink-2">
        <FaultCode code={record.fault} />
        {record.http_status !== null && <span>HTTP {record.http_status}</span>}
      </p>
      <div className="mt-1.5">
        <ClientReceived request={record} />
      </div>
    </Notice>
  )
}

/** What the ending means for the cost; null for a request that went its whole way. */
function outcomeText(record: UsageRecordView, r: PageTexts['record']): string | null {
  const { outcome, fault, cost } = record
  // Its note says all of it.
  if (record.usage_notes.includes('hedged_away')) return null
  if (outcome === 'completed') return fault === null ? null : r.outcomeText.endedEarly
  if (outcome === 'failed') return isZero(cost) ? r.outcomeText.failed : r.outcomeText.failedCharged
  return r.outcomeText[outcome]
}
