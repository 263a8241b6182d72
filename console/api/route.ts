import { queryOptions } from '@tanstack/react-query'
import type { RouteAnswer } from '../../src/contract/route.ts'
import { read } from './request.ts'

export interface RouteQuestion {
  readonly account: string
  readonly key: string
  readonly model: string
  readonly protocol: string
}

/** Where such a request would go now. */
export const routeQuery = (asked: RouteQuestion) =>
  queryOptions({
    ...read<RouteAnswer>(['route', asked], '/api/route', { ...asked }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
