import type { ReactNode } from 'react'
import type { UpstreamStatusView } from '../../../../src/contract/upstreams.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'

type State = UpstreamStatusView['state'] | UpstreamStatusView['credentials'][number]['state']

const TONES: Readonly<Record<State, Tone>> = {
  open: 'neutral',
  healthy: 'good',
  degraded: 'warn',
  resting: 'warn',
  held: 'bad',
  disabled: 'neutral',
  cooling: 'warn',
  probing: 'warn',
  busy: 'warn',
  spend_cap: 'warn',
  expired: 'bad',
  unusable: 'bad',
}

/** How an upstream or a credential stands; null: not known yet. */
export function StateBadge({ state }: { readonly state: State | null }): ReactNode {
  const t = useTexts('upstreams').states
  if (state === null) return <span className="text-ink-3">–</span>
  return (
    <Badge tone={TONES[state]} hasDot>
      {t[state]}
    </Badge>
  )
}
