import { queryOptions } from '@tanstack/react-query'
import type { InstanceInfo } from '../../src/contract/administration.ts'
import { request } from './request.ts'

/** What this installation is and offers, known without signing in. */
export const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: ({ signal }) => request<InstanceInfo>('/api/instance', { signal }),
  staleTime: 300_000,
})
