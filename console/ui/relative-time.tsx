import type { ReactNode } from 'react'
import { useFormat } from '../format/use-format.ts'
import { useNow } from './use-now.ts'

interface Moment {
  /** RFC 3339. */
  readonly time: string
  /** Counts the seconds of the first minute. */
  readonly isLive: boolean
}

/** A moment of the past by its distance from now, the exact one on the pointer. null: `never`. */
export function RelativeTime({
  time,
  never,
  isLive,
}: {
  readonly time: string | null
  readonly never?: string
  readonly isLive?: boolean
}): ReactNode {
  if (time === null) return <span className="text-ink-3">{never ?? '–'}</span>
  return <TimeAgo time={time} isLive={isLive === true} />
}

function TimeAgo({ time, isLive }: Moment): ReactNode {
  const format = useFormat()
  const nowMs = useNow(isLive ? 'second' : 'halfMinute')
  return (
    <time dateTime={time} title={format.second(time)} className="whitespace-nowrap">
      {format.ago(time, nowMs, isLive ? 'second' : 'minute')}
    </time>
  )
}

/** A moment that is still to come. */
export function TimeAhead({ time }: { readonly time: string }): ReactNode {
  const format = useFormat()
  const nowMs = useNow()
  return (
    <time dateTime={time} title={format.second(time)} className="whitespace-nowrap">
      {format.relative(time, nowMs)}
    </time>
  )
}
