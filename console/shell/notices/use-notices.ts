import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Me } from '../../../src/contract/me.ts'
import type { Overview } from '../../../src/contract/overview.ts'
import { overviewQuery } from '../../api/overview.ts'
import { seeingNow } from '../../api/seeing.ts'
import { visitsQuery } from '../../api/visits.ts'
import { failedSince, noticesOf, visitNotices, type Notice } from './notice.ts'
import { keepSeen, useSeen } from './seen-notices.ts'

const FRESH_MS = 30_000
const SEEN_EVERY_MS = 60_000
/** A hidden tab asks rarely, and after a working day no more. */
const HIDDEN_EVERY_MS = 300_000
const HIDDEN_MOST = 96

export interface Notices {
  /** null: not known yet. */
  readonly all: readonly Notice[] | null
  readonly unread: ReadonlySet<string>
  /** Requests that failed while the tab is hidden; null: it is in sight. */
  readonly failed: { readonly count: number; readonly isMore: boolean } | null
  markRead(ids: readonly string[]): void
  /** Looks now. */
  refresh(): void
}

/** What the owner of the account should know, looked for now and then while the console is open. */
export function useNotices(me: Me): Notices {
  const { overview, hiddenSince, refresh } = useOverviewNowAndThen()
  const seen = useSeen(me.id)
  // An admin who sees another account is not shown it as news of their own.
  const { data: visits } = useQuery({ ...visitsQuery, enabled: seeingNow() === null, retry: false })
  const nowMs = Date.parse(overview?.as_of ?? '')
  const all = overview === null ? null : [...noticesOf(overview, me, nowMs), ...visitNotices(visits?.data ?? [], nowMs)]
  const unread = new Set((all ?? []).map(({ id }) => id).filter((id) => !seen.includes(id)))
  const gone = all === null ? [] : seen.filter((id) => !all.some((notice) => notice.id === id))
  useEffect(() => {
    if (gone.length > 0)
      keepSeen(
        me.id,
        seen.filter((id) => !gone.includes(id)),
      )
  }, [gone.join('\n')])
  return {
    all,
    unread,
    failed: overview === null || hiddenSince === null ? null : failedSince(overview.requests, hiddenSince),
    markRead: (ids) => keepSeen(me.id, [...new Set([...seen, ...ids])]),
    refresh,
  }
}

/** The overview, asked for beside the pages: the age of what a page shows does not change by it. */
function useOverviewNowAndThen(): {
  readonly overview: Overview | null
  /** When the tab was hidden, by the gateway's clock; null: it is in sight. */
  readonly hiddenSince: string | null
  refresh(): void
} {
  const client = useQueryClient()
  const [overview, setOverview] = useState<Overview | null>(null)
  const [hiddenSince, setHiddenSince] = useState<string | null>(null)
  const newest = useRef<Overview>(null)
  const look = useCallback(async (): Promise<void> => {
    const { queryKey, queryFn } = overviewQuery()
    try {
      newest.current = await client.fetchQuery({
        queryKey,
        ...(queryFn === undefined ? {} : { queryFn }),
        staleTime: FRESH_MS,
      })
      setOverview(newest.current)
    } catch {
      // The strip above the page says what is wrong; the next look may go better.
    }
  }, [client])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let hiddenLooks = 0
    let isOver = false
    const lookAgain = async (): Promise<void> => {
      clearTimeout(timer)
      await look()
      if (document.hidden) hiddenLooks += 1
      if (isOver || hiddenLooks > HIDDEN_MOST) return
      clearTimeout(timer)
      timer = setTimeout(() => void lookAgain(), document.hidden ? HIDDEN_EVERY_MS : SEEN_EVERY_MS)
    }
    const onChange = (): void => {
      hiddenLooks = 0
      setHiddenSince(document.hidden ? (newest.current?.as_of ?? null) : null)
      if (!document.hidden) void lookAgain()
    }
    document.addEventListener('visibilitychange', onChange)
    void lookAgain()
    return () => {
      isOver = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onChange)
    }
  }, [look])
  return { overview, hiddenSince, refresh: () => void look() }
}
