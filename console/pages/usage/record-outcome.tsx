import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { faultTextOf } from '../../dictionaries/fault-text.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { OUTCOME_TONES, PlainOutcome } from './plain-outcome.tsx'

/** How a request ended, in a few words: the fault where there is one. A stream that was ended early has both. */
export function RecordOutcome({ record }: { readonly record: UsageRecordView }): ReactNode {
  const faults = useTexts('faults')
  const { outcome, fault } = record
  if (fault === null) return <PlainOutcome record={record} />
  return (
    <Badge tone={outcome === 'completed' ? 'warn' : OUTCOME_TONES[outcome]} hasDot>
      {faultTextOf(faults, fault)?.title ?? fault}
    </Badge>
  )
}
