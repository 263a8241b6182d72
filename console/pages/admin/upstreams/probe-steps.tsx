import type { ReactNode } from 'react'
import type { UpstreamProbeView } from '../../../../src/contract/upstreams.ts'
import { upstreamsDictionary } from '../../../dictionaries/upstreams.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Icon } from '../../../ui/icon.tsx'

/** What was asked of an address, and what came back. */
export function ProbeSteps({ steps }: { readonly steps: UpstreamProbeView['steps'] }): ReactNode {
  const t = upstreamsDictionary.useTexts().adding
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
              {step.status ?? '–'} · {format.duration(step.total_ms)} · {step.detail}
            </p>
          </div>
        </li>
      ))}
    </ol>
  )
}
