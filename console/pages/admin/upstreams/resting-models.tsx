import type { ReactNode } from 'react'
import type { UpstreamStatusView } from '../../../../src/contract/upstreams.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { StateBadge } from './state-badge.tsx'

/** Models that do not stand well there with any credential, each with why and until when. */
export function RestingModels({ models }: { readonly models: UpstreamStatusView['models'] }): ReactNode {
  const t = useTexts('upstreams')
  const format = useFormat()
  return (
    <ul className="grid gap-1">
      {models.map(({ model, state, reason, why, until, count }) => (
        <li key={model} className="flex flex-wrap items-center gap-x-2">
          <span className="[overflow-wrap:anywhere]">{model}</span>
          <StateBadge state={state} />
          <span className="text-sm text-ink-3">
            {[
              ...(reason === null ? [] : [t.reasons[reason]]),
              ...(why === null ? [] : [t.obstacle(why, null)]),
              ...(until === null ? [] : [t.until(format.time(until))]),
              ...(count > 1 ? [t.inARow(format.number(count))] : []),
            ].join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  )
}
