import { queryOptions } from '@tanstack/react-query'
import type { KeyActivityAnswer, KeyReport } from '../../src/contract/key-report.ts'
import { dayOffsetMinutes } from '../format/local-time.ts'
import { apiPath, readIfThere, readKept } from './request.ts'

const RENEWED_MS = 30_000

/** How a key stands and what it did, in the reader's days; null: there is no such key. Renewed while it is looked at. */
export const keyReportQuery = (id: string) => {
  const offset = dayOffsetMinutes(Date.now())
  return readIfThere<KeyReport>(['keys', 'report', id, offset], apiPath`/api/keys/${id}/report`, {
    query: { offset_minutes: offset },
    refetchInterval: RENEWED_MS,
  })
}

/** What the keys of a page used in the last thirty days: one question for all of them. */
export const keyActivityQuery = (ids: readonly string[]) => {
  const offset = dayOffsetMinutes(Date.now())
  return queryOptions({
    ...readKept<KeyActivityAnswer>(['keys', 'activity', ids, offset], '/api/keys/activity', {
      query: { ids: ids.join(','), offset_minutes: offset },
      staleTime: RENEWED_MS,
    }),
    enabled: ids.length > 0,
  })
}
