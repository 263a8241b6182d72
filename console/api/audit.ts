import type { AuditEntryView } from '../../src/contract/administration.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { readKept } from './request.ts'

/** The filters of the audit log, as the API names them; none: all of it. `subject`: the ID of what was changed. */
export interface AuditFilter {
  readonly subject?: string
  readonly account?: string
  readonly actor?: string
  readonly action?: string
  readonly address?: string
  readonly from?: string
  readonly to?: string
}

/** A page of the audit, newest first. */
export const auditQuery = (query: AuditFilter & { readonly cursor: string | null }) =>
  readKept<Page<AuditEntryView>>(['audit', query], '/api/audit', { query: { ...query } })
