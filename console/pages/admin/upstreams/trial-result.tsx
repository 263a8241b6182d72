import type { ReactNode } from 'react'
import type { UpstreamTrialView } from '../../../../src/contract/upstreams.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { DetailList } from '../../../ui/detail-list.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { listResult } from './list-result.ts'

/** What came of one real request. */
export function TrialResult({ trial }: { readonly trial: UpstreamTrialView }): ReactNode {
  const t = useTexts('upstreams').testing
  const trialSaid = useTrialSaid()
  const format = useFormat()
  const { input_tokens: input, output_tokens: output, first_event_ms: first, provider_cost: cost } = trial
  const rows = [
    { label: t.status, value: trial.status ?? '–' },
    { label: t.took, value: format.duration(trial.total_ms) },
    { label: t.first, value: first === null ? '–' : format.duration(first) },
    { label: t.tokens, value: input === null || output === null ? '–' : `${input} + ${output}` },
    { label: t.cost, value: cost === null ? '–' : format.exactMoney(cost) },
    ...(trial.ok
      ? []
      : [{ label: t.said, value: <span className="[overflow-wrap:anywhere]">{trialSaid(trial)}</span> }]),
  ]
  return (
    <>
      <Notice tone={trial.ok ? 'good' : 'bad'} isLive>
        {trial.ok ? t.good : t.bad}
      </Notice>
      <DetailList rows={rows} />
    </>
  )
}

/** What came of one real request, in the reader's language; what is said of a fault that has no words here is the API's. */
export function useTrialSaid(): (trial: UpstreamTrialView) => string {
  const t = useTexts('upstreams')
  const shared = useSharedTexts()
  const faults = useTexts('faults')
  return ({ result, status, said, fault, detail }) => {
    if (result !== 'answered' && result !== 'fault') return listResult({ result, status, said }, t, shared)
    return Object.entries(faults).find(([code]) => code === fault)?.[1].title ?? detail
  }
}
