import { queryOptions } from '@tanstack/react-query'
import type { Place } from '../../src/contract/administration.ts'
import { request } from './request.ts'

/** What this installation is and offers, known without signing in. */
export const placeQuery = queryOptions({
  queryKey: ['place'],
  queryFn: ({ signal }) => request<Place>('/api/place', { signal }),
  staleTime: 300_000,
})
