import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AttentionView } from '../../src/contract/attention.ts'
import { request } from './request.ts'

const RENEWED_MS = 30_000

/** What needs an admin. Renewed while it is looked at: what was healed is gone by itself. */
export const attentionQuery = queryOptions({
  queryKey: ['attention'],
  queryFn: ({ signal }) => request<AttentionView>('/api/attention', { signal }),
  placeholderData: keepPreviousData,
  staleTime: 5_000,
  refetchInterval: RENEWED_MS,
  refetchIntervalInBackground: false,
})
