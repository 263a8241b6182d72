import type { ReactNode } from 'react'
import type { UpstreamStatusView } from '../../../../src/contract/upstreams.ts'
import { faultsDictionary } from '../../../dictionaries/faults.ts'
import { upstreamsDictionary } from '../../../dictionaries/upstreams.ts'
import { RelativeTime } from '../../../ui/relative-time.tsx'

/** What a request that went there ended with last; null: nothing in the last day. */
export function LastFailure({ failure }: { readonly failure: UpstreamStatusView['last_failure'] }): ReactNode {
  const faults = faultsDictionary.useTexts()
  const t = upstreamsDictionary.useTexts()
  if (failure === null) return <span className="text-ink-3">–</span>
  const { fault, status, at, said } = failure
  const title = Object.entries(faults).find(([code]) => code === fault)?.[1].title ?? fault
  return (
    <span className="block min-w-0 text-sm">
      {title}
      {status !== null && ` (${status})`}
      <span className="text-ink-3">
        {' · '}
        <RelativeTime time={at} />
      </span>
      {said !== null && <span className="block [overflow-wrap:anywhere] text-ink-2">{t.providerSaid(said)}</span>}
    </span>
  )
}

/** null: not known yet. */
export function FailedCount({ count }: { readonly count: number | null }): ReactNode {
  if (count === null) return '–'
  return <span className={count > 0 ? 'text-bad' : ''}>{count}</span>
}
