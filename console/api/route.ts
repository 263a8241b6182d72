import { queryOptions } from '@tanstack/react-query'
import type { RouteAnswer } from '../../src/contract/route.ts'
import { request } from './request.ts'

export interface RouteQuestion {
  readonly account: string
  readonly key: string
  readonly model: string
  readonly protocol: string
}

/** Where such a request would go now. */
export const routeQuery = (asked: RouteQuestion) =>
  queryOptions({
    queryKey: ['route', asked],
    queryFn: ({ signal }) => request<RouteAnswer>('/api/route', { query: { ...asked }, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
