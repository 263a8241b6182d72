import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useSyncExternalStore } from 'react'
import { safeReturnPath } from '../../paths.ts'
import type { FlatSearch } from '../../table/table-search.ts'
import { atSite } from '../../site.ts'

/** The length of the transition of the gate's arm. */
const GATE_OPENS_MS = 300

let isOpen = false
const watchers = new Set<() => void>()

function setGate(open: boolean): void {
  isOpen = open
  for (const each of watchers) each()
}

/** Whether the reader was let in, and the page is about to change. */
export function useIsGateOpen(): boolean {
  return useSyncExternalStore(watchGate, () => isOpen)
}

function watchGate(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Goes on to where the reader wanted to go after signing in. What was cached before signing in is forgotten. */
export function useEnterConsole(): () => void {
  const client = useQueryClient()
  const router = useRouter()
  const path = useReturnPath()
  return useCallback(() => {
    setGate(true)
    const go = (): void => {
      client.clear()
      router.history.replace(atSite(`/console${path}`))
      setGate(false)
    }
    // Only who can see the gate open waits for it.
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) go()
    else setTimeout(go, GATE_OPENS_MS)
  }, [client, router, path])
}

/** The path below /console that a sign-in was needed for, or the start page. */
export function useReturnPath(): string {
  const search: FlatSearch = useSearch({ strict: false })
  return safeReturnPath(search['return_to'])
}
