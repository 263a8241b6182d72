import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AuditEntryView } from '../../src/contract/administration.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { request } from './request.ts'

/** A page of the audit, newest first. `subject`: the ID of what was changed; empty: of everything. */
export const auditQuery = (query: { readonly subject: string; readonly cursor: string | null }) =>
  queryOptions({
    queryKey: ['audit', query],
    queryFn: ({ signal }) => request<Page<AuditEntryView>>('/api/audit', { query, signal }),
    placeholderData: keepPreviousData,
  })
