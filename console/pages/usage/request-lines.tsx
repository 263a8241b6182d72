import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FirstSteps } from '../../../src/contract/usage.ts'
import { faultTextOf } from '../../dictionaries/fault-text.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { useClientNames } from '../client-names.ts'
import { ExplainedCost } from '../../costs/explained-cost.tsx'

type ListedRequest = FirstSteps['data'][number]

/** Requests in short, each a link to its record. `isOfOneKey`: which key it was is known, and its client is said instead. */
export function RequestLines(props: {
  readonly requests: readonly ListedRequest[]
  readonly isOfOneKey?: boolean
}): ReactNode {
  return (
    <ul className="-mx-2 grid divide-y divide-line">
      {props.requests.map((each) => (
        <RequestLine key={each.id} request={each} isOfOneKey={props.isOfOneKey === true} />
      ))}
    </ul>
  )
}

function RequestLine({
  request,
  isOfOneKey,
}: {
  readonly request: ListedRequest
  readonly isOfOneKey: boolean
}): ReactNode {
  const faults = useTexts('faults')
  const { outcomes } = useSharedTexts()
  const format = useFormat()
  const nameOf = useClientNames()
  const { fault, outcome } = request
  const isGood = outcome === 'completed' && fault === null
  const ended = isGood ? null : outcomes[outcome]
  const text = fault === null ? ended : (faultTextOf(faults, fault)?.title ?? fault)
  const about = [text, isOfOneKey ? nameOf(request.client) : request.key_name].filter(
    (part) => part !== null && part !== '',
  )
  return (
    <li className="relative flex min-h-11 items-center gap-3 px-2 py-1.5 hover:bg-sunken">
      {/* All of the line leads to the record, but for what it cost. */}
      <Link
        to={PATHS.usage}
        search={{ record: request.id }}
        title={format.second(request.created_at)}
        className="flex min-w-0 flex-1 items-center gap-3 after:absolute after:inset-0"
      >
        <Icon {...markOf(request)} />
        <span className="min-w-0 flex-1">
          <span className="line-clamp-1 font-medium">{request.model ?? '–'}</span>
          <span className="block text-sm text-ink-2">{about.join(' · ')}</span>
        </span>
      </Link>
      <span className="shrink-0 text-right">
        <span className="relative block">
          <ExplainedCost requestId={request.id}>{format.money(request.cost)}</ExplainedCost>
        </span>
        <span className="block text-sm text-ink-3">
          <RelativeTime time={request.created_at} />
        </span>
      </span>
    </li>
  )
}

/** What its client cancelled did not fail. */
function markOf({ outcome, fault }: ListedRequest): { readonly name: IconName; readonly className: string } {
  if (outcome === 'aborted') return { name: 'close', className: 'text-ink-3' }
  if (outcome === 'interrupted') return { name: 'warning', className: 'text-warn' }
  const isGood = outcome === 'completed' && fault === null
  return isGood ? { name: 'check', className: 'text-good' } : { name: 'warning', className: 'text-bad' }
}
