import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { faultsDictionary, faultTextOf } from '../../dictionaries/faults.ts'
import { useSharedTexts } from '../../dictionaries/shared.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

const TONES: Readonly<Record<UsageRecordView['outcome'], Tone>> = {
  completed: 'good',
  refused: 'bad',
  failed: 'bad',
  aborted: 'neutral',
  interrupted: 'warn',
}

/** How a request ended, in a few words: the fault where there is one. A stream that was ended early has both. */
export function RecordOutcome({ record }: { readonly record: UsageRecordView }): ReactNode {
  const { outcomes } = useSharedTexts()
  const faults = faultsDictionary.useTexts()
  const { outcome, fault, usage_notes: notes } = record
  // Its caller did not leave: the answer of another upstream was there first.
  const ended = notes.includes('hedged_away') ? 'hedged' : outcome
  const text = fault === null ? outcomes[ended] : (faultTextOf(faults, fault)?.title ?? fault)
  const tone = outcome === 'completed' && fault !== null ? 'warn' : TONES[outcome]
  return (
    <Badge tone={tone} hasDot>
      {text}
    </Badge>
  )
}
