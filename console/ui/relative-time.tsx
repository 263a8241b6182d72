import type { ReactNode } from 'react'
import { useFormat } from '../format/use-format.ts'
import { useNow } from './use-now.ts'

/** A moment by its distance from now, the exact one on the pointer. `time`: RFC 3339; null: `never`. */
export function RelativeTime({ time, never }: { readonly time: string | null; readonly never?: string }): ReactNode {
  const format = useFormat()
  const nowMs = useNow()
  if (time === null) return <span className="text-ink-3">{never ?? '–'}</span>
  return (
    <time dateTime={time} title={format.second(time)} className="whitespace-nowrap">
      {format.relative(time, nowMs)}
    </time>
  )
}
