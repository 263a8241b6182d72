import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { safeReturnPath } from '../../paths.ts'
import type { FlatSearch } from '../../table/table-search.ts'

/** Goes on to where the reader wanted to go after signing in. What was cached before signing in is forgotten. */
export function useEnterConsole(): () => void {
  const client = useQueryClient()
  const router = useRouter()
  const wish = useWishedPath()
  return useCallback(() => {
    client.clear()
    router.history.replace(`/console${wish}`)
  }, [client, router, wish])
}

/** The path below /console that a sign-in was needed for, or the start page. */
export function useWishedPath(): string {
  const search: FlatSearch = useSearch({ strict: false })
  return safeReturnPath(search['return_to'])
}
