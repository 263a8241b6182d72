import { queryOptions } from '@tanstack/react-query'
import type { Overview } from '../../src/contract/overview.ts'
import { request } from './request.ts'

/** Which release of the gateway answers. It is the same until the page is loaded anew. */
export const versionQuery = queryOptions({
  queryKey: ['version'],
  queryFn: async ({ signal }) => (await request<Overview>('/api/overview', { signal })).gateway.version,
  staleTime: Number.POSITIVE_INFINITY,
})
