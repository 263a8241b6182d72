import { useQueries } from '@tanstack/react-query'
import type { ListedAccountView } from '../../src/contract/accounts.ts'
import type { ApiKeyView } from '../../src/contract/keys.ts'
import type { UpstreamView } from '../../src/contract/upstreams.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { readKept } from './request.ts'

/** The most results of each kind; the page of the kind has all of them. */
const MOST = 6
const FRESH_MS = 30_000

/** What a search of all that there is found. */
export interface StaffFound {
  readonly kind: 'account' | 'key' | 'upstream' | 'group' | 'plan'
  readonly id: string
  readonly name: string
  /** What tells it from others of this name. */
  readonly detail: string
  /** The owner, where this is a key. */
  readonly accountId?: string
}

/** What the lists of all kinds have, and what some of them have besides. */
type Row = Pick<ListedAccountView, 'id' | 'name'> &
  Partial<
    Pick<ListedAccountView, 'email'> &
      Pick<ApiKeyView, 'secret_start' | 'secret_end' | 'account_id'> &
      Pick<UpstreamView, 'base_url'>
  >

/** Where the server looks for each kind, and what is said of a row beside its name. */
const KINDS: readonly (Pick<StaffFound, 'kind'> & {
  readonly path: string
  said?(row: Row): Partial<StaffFound>
})[] = [
  { kind: 'account', path: '/api/accounts', said: ({ email = '', name }) => ({ name: email, detail: name }) },
  {
    kind: 'key',
    path: '/api/keys',
    said: ({ secret_start: start, secret_end: end, account_id: accountId = '' }) => ({
      detail: `${start}…${end}`,
      accountId,
    }),
  },
  { kind: 'upstream', path: '/api/upstreams', said: ({ base_url: detail = '' }) => ({ detail }) },
  { kind: 'group', path: '/api/groups' },
  { kind: 'plan', path: '/api/plans' },
]

/** Accounts, keys of all accounts, upstreams, groups and plans of these words, by the server's own search. Empty: none. */
export function useStaffSearch(words: string): {
  readonly found: readonly StaffFound[]
  readonly isSearching: boolean
} {
  const pages = useQueries({
    queries: KINDS.map(({ kind, path }) => ({
      ...readKept<Page<Row>>(['staff-search', path, words], path, {
        query: { search: words, limit: MOST, ...(kind === 'key' ? { account_id: '*' } : {}) },
        staleTime: FRESH_MS,
      }),
      enabled: words !== '',
    })),
  })
  if (words === '') return { found: [], isSearching: false }
  const found = KINDS.flatMap(({ kind, said }, at) =>
    (pages[at]?.data?.data ?? []).map((row) => ({ kind, id: row.id, name: row.name, detail: '', ...said?.(row) })),
  )
  return { found, isSearching: pages.some(({ isFetching }) => isFetching) }
}
