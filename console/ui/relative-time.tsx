import type { ReactNode } from 'react'
import { useFormat } from '../format/use-format.ts'
import { useNow } from './use-now.ts'

interface Moment {
  /** RFC 3339. */
  readonly time: string
  /** Counts the seconds of the first minute. */
  readonly isLive: boolean
  /** What is said of it, around the distance. */
  readonly text: ((ago: string) => string) | undefined
}

/** A moment of the past by its distance from now, the exact one on the pointer. null: `never`. */
export function RelativeTime({
  time,
  never,
  isLive,
  text,
}: {
  readonly time: string | null
  readonly never?: string
  readonly isLive?: boolean
  readonly text?: (ago: string) => string
}): ReactNode {
  if (time === null) return <span className="text-ink-3">{never ?? '–'}</span>
  return <TimeAgo time={time} isLive={isLive === true} text={text} />
}

function TimeAgo({ time, isLive, text }: Moment): ReactNode {
  const format = useFormat()
  const nowMs = useNow(isLive ? 'second' : 'halfMinute')
  const ago = format.ago(time, nowMs, isLive ? 'second' : 'minute')
  return (
    <time dateTime={time} title={format.second(time)} className="whitespace-nowrap">
      {text === undefined ? ago : text(ago)}
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
