import type { ReactNode } from 'react'
import type { CapturedSummaryView } from '../../../../src/contract/captures.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'

/** Captured requests in short, each a button that opens it. */
export function CapturedLines(props: {
  readonly requests: readonly CapturedSummaryView[]
  onOpen(requestId: string): void
}): ReactNode {
  const t = useTexts('captures')
  return (
    <ul aria-label={t.list} className="-mx-2 grid divide-y divide-line">
      {props.requests.map((each) => (
        <li key={each.request_id}>
          <Line request={each} onOpen={() => props.onOpen(each.request_id)} />
        </li>
      ))}
    </ul>
  )
}

function Line({ request, onOpen }: { readonly request: CapturedSummaryView; onOpen(): void }): ReactNode {
  const t = useTexts('captures')
  const format = useFormat()
  const { status } = request
  const what = request.model ?? request.path
  return (
    <button
      type="button"
      aria-label={t.open(`${what}, ${request.request_id}`)}
      onClick={onOpen}
      className="flex min-h-11 w-full min-w-0 items-center gap-3 rounded-md px-2 py-1.5 text-left hover:bg-sunken"
    >
      <span className="w-12 shrink-0">
        <Badge tone={toneOf(status)}>{status ?? t.noStatus}</Badge>
      </span>
      <span className="min-w-0 flex-1">
        <span className="line-clamp-1 font-medium">{what}</span>
        <span className="line-clamp-1 font-mono text-xs text-ink-3">{request.path}</span>
      </span>
      <span className="shrink-0 text-right text-sm text-ink-3">
        <span className="block">{format.duration(request.total_ms)}</span>
        <RelativeTime time={request.created_at} />
      </span>
    </button>
  )
}

function toneOf(status: number | null): Tone {
  if (status === null) return 'neutral'
  return status < 400 ? 'good' : 'bad'
}
