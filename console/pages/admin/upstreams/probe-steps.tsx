import type { ReactNode } from 'react'
import type { UpstreamProbeView } from '../../../../src/contract/upstream-probe.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { listResult } from './list-result.ts'

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
        <li key={step.protocol} className="flex gap-2">
          <Icon name={step.ok ? 'check' : 'close'} className={`mt-0.5 ${step.ok ? 'text-good' : 'text-ink-3'}`} />
          <div className="min-w-0">
            <p className="[overflow-wrap:anywhere]">
              <span className="font-medium">{step.protocol}</span> GET {step.url}
            </p>
            <p className="text-ink-2 [overflow-wrap:anywhere]">
              {step.status ?? '–'} · {format.duration(step.total_ms)} · {listResult(step, texts, shared)}
            </p>
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
