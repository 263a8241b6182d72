import type { ReactNode } from 'react'
import type { UpstreamProbeView } from '../../../../src/contract/upstream-probe.ts'
import type { UpstreamTrialView } from '../../../../src/contract/upstreams.ts'
import type { SharedTexts } from '../../../dictionaries/shared-en.ts'
import { type PageTexts, useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { DetailList } from '../../../ui/detail-list.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { SaidAdvice } from '../../faults/said-advice.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** What came of one real request. */
export function TrialResult({ trial }: { readonly trial: UpstreamTrialView }): ReactNode {
  const t = useTexts('upstreams').testing
  const trialSaid = useTrialSaid()
  const format = useFormat()
  const { input_tokens: input, output_tokens: output, first_event_ms: first, provider_cost: cost } = trial
  const rows = [
    ...(trial.ok || trial.url === null
      ? []
      : [{ label: t.url, value: <span className="font-mono text-sm break-all">{trial.url}</span> }]),
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
      {!trial.ok && trial.said !== null && <SaidAdvice said={trial.said} />}
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

type Step = UpstreamProbeView['steps'][number]

/** The times of the parts that were reached. */
function timesOf(step: Step) {
  const { dns_ms: dns, connect_ms: connect, tls_ms: tls, first_byte_ms: firstByte } = step
  const all = [
    ['dns', dns],
    ['connect', connect],
    ['tls', tls],
    ['firstByte', firstByte],
  ] as const
  return all.flatMap(([name, ms]) => (ms === null ? [] : [[name, ms] as const]))
}

/** What was asked of an address, and what came back. */
export function ProbeSteps({ steps }: { readonly steps: UpstreamProbeView['steps'] }): ReactNode {
  const texts = useTexts('upstreams')
  const t = texts.adding
  const shared = useSharedTexts()
  const format = useFormat()
  return (
    <ol aria-label={t.asked} className="grid gap-2 text-sm">
      {steps.map((step) => (
        <li key={`${step.protocol} ${step.url}`} className="flex gap-2">
          <Icon name={step.ok ? 'check' : 'close'} className={`mt-0.5 ${step.ok ? 'text-good' : 'text-ink-3'}`} />
          <div className="min-w-0">
            <p className="[overflow-wrap:anywhere]">
              <span className="font-medium">{step.protocol}</span> GET {step.url}
            </p>
            <p className="text-ink-2 [overflow-wrap:anywhere]">
              {step.status ?? '–'} · {format.duration(step.total_ms)} · {listResult(step, texts, shared)}
            </p>
            {step.said !== null && <SaidAdvice said={step.said} />}
            <p className="text-ink-3">
              {timesOf(step)
                .map(([name, ms]) => `${t.times[name]} ${format.duration(ms)}`)
                .join(' · ')}
            </p>
          </div>
        </li>
      ))}
    </ol>
  )
}

type Asked = Pick<UpstreamProbeView['steps'][number], 'result' | 'status' | 'said'>

/** What came of asking for a list of models, and what the provider said itself. */
export function listResult(
  { result, status, said }: Asked,
  t: PageTexts['upstreams'],
  { sentences }: Pick<SharedTexts, 'sentences'>,
): string {
  const what = result === 'status' ? t.listStatus(status) : t.listResults[result]
  return said === null ? what : sentences([what, t.providerSaid(said)])
}
