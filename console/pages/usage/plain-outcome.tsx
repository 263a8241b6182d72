import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { useSharedTexts } from '../../dictionaries/texts.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

export const OUTCOME_TONES: Readonly<Record<UsageRecordView['outcome'], Tone>> = {
  completed: 'good',
  refused: 'bad',
  failed: 'bad',
  aborted: 'neutral',
  interrupted: 'warn',
}

/** How a request without a fault ended. */
export function PlainOutcome({ record }: { readonly record: UsageRecordView }): ReactNode {
  const { outcomes } = useSharedTexts()
  const { outcome, usage_notes: notes } = record
  return (
    <Badge tone={OUTCOME_TONES[outcome]} hasDot>
      {/* Its caller did not leave: the answer of another upstream was there first. */}
      {outcomes[notes.includes('hedged_away') ? 'hedged' : outcome]}
    </Badge>
  )
}
