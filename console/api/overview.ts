import type { Overview } from '../../src/contract/overview.ts'
import { dayOffsetMinutes } from '../format/local-time.ts'
import { readKept } from './request.ts'

const RENEWED_MS = 30_000
/** Fetched while its page is on the way, and not again when the page is drawn. */
const FRESH_MS = 5_000

/** How the own account stands, in the reader's days. Renewed while it is looked at. */
export const overviewQuery = () => {
  const offset = dayOffsetMinutes(Date.now())
  return readKept<Overview>(['overview', offset], '/api/overview', {
    query: { offset_minutes: offset },
    staleTime: FRESH_MS,
    refetchInterval: RENEWED_MS,
  })
}
