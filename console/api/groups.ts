import { queryOptions } from '@tanstack/react-query'
import type { GroupView } from '../../src/contract/groups.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { request } from './request.ts'

/** The API's largest page. */
const MOST = 200
const FRESH_MS = 60_000

/** The groups to choose from. */
export const groupsQuery = queryOptions({
  queryKey: ['groups', 'choices'],
  queryFn: ({ signal }) => request<Page<GroupView>>('/api/groups', { query: { limit: MOST }, signal }),
  staleTime: FRESH_MS,
})
