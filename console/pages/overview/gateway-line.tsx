import type { ReactNode } from 'react'
import type { Overview } from '../../../src/contract/overview.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { Badge } from '../../ui/badge.tsx'

/** Whether the gateway takes requests, which version it is, and of when all of this is. */
export function GatewayLine({ gateway, asOf }: Pick<Overview, 'gateway'> & { readonly asOf: string }): ReactNode {
  const texts = useTexts('overview')
  const t = texts.gateway
  const format = useFormat()
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-3">
      <span className="inline-flex items-center gap-2">
        {t.title}
        <Badge tone={gateway.state === 'serving' ? 'good' : 'warn'} hasDot>
          {t[gateway.state]}
        </Badge>
      </span>
      <span>{t.version(gateway.version)}</span>
      <span>{texts.asOf(format.clock(Date.parse(asOf), Date.parse(asOf)))}</span>
    </p>
  )
}
