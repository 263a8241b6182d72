import type { ReactNode } from 'react'
import type { UpstreamTrialView } from '../../../../src/contract/upstreams.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { DetailList } from '../../../ui/detail-list.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useTrialSaid } from './trial-said.ts'

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
