import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { attentionQuery } from '../../api/attention.ts'
import { thingsToDo } from '../../api/things-to-do.ts'
import { useShellTexts } from '../../dictionaries/shell.ts'

const LOOKED_MS = 120_000

/** How much needs an admin, wherever they are; nothing while nothing does. */
export default function AttentionCount(): ReactNode {
  const t = useShellTexts().admin
  const { data } = useQuery({ ...attentionQuery, staleTime: LOOKED_MS / 2, refetchInterval: LOOKED_MS, retry: false })
  const count = thingsToDo(data?.data ?? []).length
  if (count === 0) return null
  return (
    <span
      // The name of the page stays its own: it is said as a description.
      aria-hidden="true"
      title={t.attention(count)}
      className="min-w-5 rounded-full bg-warn-soft px-1.5 text-center text-xs font-medium text-warn"
    >
      {count}
    </span>
  )
}
