import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { faultTextOf } from '../../dictionaries/fault-text.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

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

const OUTCOME_TONES: Readonly<Record<UsageRecordView['outcome'], Tone>> = {
  completed: 'good',
  refused: 'bad',
  failed: 'bad',
  aborted: 'neutral',
  interrupted: 'warn',
}

/** How a request without a fault ended. */
function PlainOutcome({ record }: { readonly record: UsageRecordView }): ReactNode {
  const { outcomes } = useSharedTexts()
  const { outcome, usage_notes: notes } = record
  return (
    <Badge tone={OUTCOME_TONES[outcome]} hasDot>
      {/* Its caller did not leave: the answer of another upstream was there first. */}
      {outcomes[notes.includes('hedged_away') ? 'hedged' : outcome]}
    </Badge>
  )
}
