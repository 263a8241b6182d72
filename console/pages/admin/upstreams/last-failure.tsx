import type { ReactNode } from 'react'
import type { UpstreamStatusView } from '../../../../src/contract/upstreams.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { SaidAdvice } from '../../faults/said-advice.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'

/** What a request that went there ended with last; null: nothing in the last day. */
export function LastFailure({ failure }: { readonly failure: UpstreamStatusView['last_failure'] }): ReactNode {
  const faults = useTexts('faults')
  const shared = useSharedTexts()
  const t = useTexts('upstreams')
  if (failure === null) return <span className="text-ink-3">–</span>
  const { fault, status, at, said, why, redirects_to: to } = failure
  const title = Object.entries(faults).find(([code]) => code === fault)?.[1].title ?? fault
  return (
    <span className="block min-w-0 text-sm">
      {status === null ? title : shared.inBrackets(title, String(status))}
      <span className="block text-ink-3">
        <RelativeTime time={at} />
      </span>
      {why !== null && <span className="block [overflow-wrap:anywhere] text-ink-2">{t.obstacle(why, to)}</span>}
      {said !== null && (
        <span className="block [overflow-wrap:anywhere] text-ink-2">
          {t.providerSaid(said)} <SaidAdvice said={said} />
        </span>
      )}
    </span>
  )
}

/** How many requests failed lately, of how many; null: not known yet. */
export function FailedCount(of: {
  readonly status: Pick<UpstreamStatusView, 'failed' | 'requests'> | null
}): ReactNode {
  const t = useTexts('upstreams')
  const format = useFormat()
  if (of.status === null) return '–'
  const { failed, requests } = of.status
  const counts = t.ofLimit(format.number(failed), format.number(requests))
  return <span className={failed > 0 ? 'text-bad' : ''}>{counts}</span>
}

/** null: all requests of the last five minutes are counted. */
export function CountedSince({ time }: { readonly time: string | null }): ReactNode {
  const t = useTexts('upstreams')
  const format = useFormat()
  return time === null ? null : <p className="mb-3 text-sm text-ink-3">{t.countedSince(format.second(time))}</p>
}

/** The first byte of half of the requests that ended well lately, and of 95 % of them. */
export function FirstByte({ times }: { readonly times: UpstreamStatusView['first_byte_ms'] }): ReactNode {
  const shared = useSharedTexts()
  const format = useFormat()
  if (times === null) return <span className="text-ink-3">–</span>
  return (
    <span className="whitespace-nowrap">{shared.pair(format.duration(times.p50), format.duration(times.p95))}</span>
  )
}

type State = UpstreamStatusView['state'] | UpstreamStatusView['credentials'][number]['state']

const TONES: Readonly<Record<State, Tone>> = {
  open: 'neutral',
  healthy: 'good',
  degraded: 'warn',
  renewal_failing: 'warn',
  failing: 'bad',
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
