import { queryOptions } from '@tanstack/react-query'
import type { Page } from '../../src/contract/wire-values.ts'
import { request } from './request.ts'

/** Two upstreams at most, for admins: whether there is another than the demo's. */
export const fewUpstreamsQuery = queryOptions({
  queryKey: ['upstreams', 'few'],
  queryFn: ({ signal }) => request<Page<{ readonly id: string }>>('/api/upstreams', { query: { limit: 2 }, signal }),
  staleTime: 60_000,
})
