import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { IncidentsView } from '../../src/contract/incidents.ts'
import { read } from './request.ts'

const RENEWED_MS = 60_000

/** What did not work in the last days, with what was changed meanwhile. */
export const incidentsQuery = (days: number) =>
  queryOptions({
    ...read<IncidentsView>(['incidents', days], '/api/incidents', { days }),
    placeholderData: keepPreviousData,
    refetchInterval: RENEWED_MS,
  })
