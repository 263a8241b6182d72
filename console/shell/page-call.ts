import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useMatches } from '@tanstack/react-router'
import { ADMIN_PAGES } from '../admin-pages.ts'
import { curlOf } from '../api/api-call.ts'
import { callOf } from '../api/request.ts'
import { seeingNow } from '../api/seeing.ts'
import { PATHS } from '../paths.ts'
import { siteAddress } from '../site.ts'

/**
 * The main question of each page to the API, by how the keys of such queries begin. Of several that are in use the one
 * with the shortest key is meant: ['models'] has ['models', 'traffic'] beside it.
 */
const MAIN_QUERIES = new Map<string, readonly string[]>([
  [PATHS.overview, ['overview']],
  [PATHS.keys, ['keys', 'list']],
  [PATHS.devices, ['keys', 'devices']],
  [PATHS.key, ['keys', 'report']],
  [PATHS.usage, ['usage', 'records']],
  [PATHS.keySpend, ['usage', 'keys']],
  [PATHS.tagSpend, ['usage', 'tags']],
  [PATHS.models, ['models']],
  [PATHS.billing, ['ledger']],
  [PATHS.account, ['me']],
  ...Object.values(ADMIN_PAGES).map(({ path, query }) => [path, query] as const),
])

/** The page's main question to the API, with its filter as it stands, as a line for the shell. null: this page has none. */
export function usePageCall(): (() => string | null) | null {
  const queries = useQueryClient()
  const path = useMatches({ select: (matches): string => matches.at(-1)?.fullPath ?? '' })
  const prefix = MAIN_QUERIES.get(path)
  // Of an admin who sees another account, the line would ask for what is the admin’s own.
  return prefix === undefined || seeingNow() !== null ? null : () => currentCall(queries, prefix)
}

function currentCall(queries: QueryClient, prefix: readonly string[]): string | null {
  const [main] = queries
    .getQueryCache()
    .findAll({ queryKey: prefix, type: 'active' })
    .sort((a, b) => a.queryKey.length - b.queryKey.length)
  const ask = main?.options.queryFn
  if (main === undefined || typeof ask !== 'function') return null
  const call = callOf((signal) => ask({ client: queries, queryKey: main.queryKey, signal, meta: undefined }))
  return call === null ? null : curlOf(call, siteAddress())
}
