import { queryOptions } from '@tanstack/react-query'
import type { GroupView } from '../../src/contract/groups.ts'
import { everyPage } from './request.ts'

const FRESH_MS = 60_000

/** The groups to choose from. */
export const groupsQuery = queryOptions({
  queryKey: ['groups', 'choices'],
  queryFn: ({ signal }) => everyPage<GroupView>('/api/groups', { signal }),
  staleTime: FRESH_MS,
})
