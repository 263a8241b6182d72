import type { IncidentsView } from '../../src/contract/incidents.ts'
import { readKept } from './request.ts'

const RENEWED_MS = 60_000

/** What did not work in the last days, with what was changed meanwhile. */
export const incidentsQuery = (days: number) =>
  readKept<IncidentsView>(['incidents', days], '/api/incidents', { query: { days }, refetchInterval: RENEWED_MS })
