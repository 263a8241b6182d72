import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { FirstSteps } from '../../src/contract/usage.ts'
import { request } from './request.ts'

/** How long the gateway remembers them. */
const UNKNOWN_MS = 10 * 60_000

/** What was refused without a known key, from the address that asks. `at`: when what stands beside it was read, in epoch milliseconds. */
export const unknownTriesQuery = (at: number) =>
  queryOptions({
    queryKey: ['usage', 'unknown-tries', at],
    queryFn: async ({ signal }) => {
      const since = new Date(Date.now() - UNKNOWN_MS).toISOString()
      const query = { since, limit: '1' }
      return (await request<FirstSteps>('/api/usage/first-steps', { query, signal })).unrecognized
    },
    placeholderData: keepPreviousData,
    gcTime: UNKNOWN_MS,
  })
