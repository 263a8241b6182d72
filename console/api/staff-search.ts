import { keepPreviousData, useQueries } from '@tanstack/react-query'
import type { ListedAccountView } from '../../src/contract/accounts.ts'
import type { KeysPage } from '../../src/contract/keys.ts'
import type { UpstreamView } from '../../src/contract/upstreams.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { request } from './request.ts'

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

interface NamedObject {
  readonly id: string
  readonly name: string
}

const ask = <Answer>(path: string, words: string, query: Readonly<Record<string, string>> = {}) => ({
  queryKey: ['staff-search', path, words],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    request<Answer>(path, { query: { ...query, search: words, limit: MOST }, signal }),
  enabled: words !== '',
  staleTime: FRESH_MS,
  placeholderData: keepPreviousData,
})

/** Accounts, keys of all accounts, upstreams, groups and plans of these words, by the server's own search. Empty: none. */
export function useStaffSearch(words: string): {
  readonly found: readonly StaffFound[]
  readonly isSearching: boolean
} {
  const [accounts, keys, upstreams, groups, plans] = useQueries({
    queries: [
      ask<Page<ListedAccountView>>('/api/accounts', words),
      ask<KeysPage>('/api/keys', words, { account_id: '*' }),
      ask<Page<UpstreamView>>('/api/upstreams', words),
      ask<Page<NamedObject>>('/api/groups', words),
      ask<Page<NamedObject>>('/api/plans', words),
    ],
  })
  if (words === '') return { found: [], isSearching: false }
  const named = (kind: StaffFound['kind'], page: Page<NamedObject> | undefined): StaffFound[] =>
    (page?.data ?? []).map(({ id, name }) => ({ kind, id, name, detail: '' }))
  return {
    isSearching: [accounts, keys, upstreams, groups, plans].some(({ isFetching }) => isFetching),
    found: [
      ...(accounts.data?.data ?? []).map(({ id, email, name }): StaffFound => ({
        kind: 'account',
        id,
        name: email,
        detail: name,
      })),
      ...(keys.data?.data ?? []).map(
        ({ id, name, secret_start: start, secret_end: end, account_id: accountId }): StaffFound => ({
          kind: 'key',
          id,
          name,
          detail: `${start}…${end}`,
          accountId,
        }),
      ),
      ...(upstreams.data?.data ?? []).map(({ id, name, base_url: address }): StaffFound => ({
        kind: 'upstream',
        id,
        name,
        detail: address,
      })),
      ...named('group', groups.data),
      ...named('plan', plans.data),
    ],
  }
}
