import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { IncidentsView } from '../../src/contract/incidents.ts'
import { request } from './request.ts'

const RENEWED_MS = 60_000

/** What did not work in the last days, with what was changed meanwhile. */
export const incidentsQuery = (days: number) =>
  queryOptions({
    queryKey: ['incidents', days],
    queryFn: ({ signal }) => request<IncidentsView>('/api/incidents', { query: { days }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: RENEWED_MS,
    refetchIntervalInBackground: false,
  })
