import type { LedgerQuery } from '../../api/billing.ts'
import { daySpan } from '../../format/day-span.ts'
import type { TableShape } from '../../table/table-search.ts'

/**
 * What the API is asked for: days of the address (`2026-11-21`) are days of the reader, both included. What is not a day, or
 * no kind that there is, is left out.
 */
export function ledgerFilter(
  table: { readonly filters: Readonly<Record<string, string>>; readonly cursor: string | null },
  timeZone: string,
): LedgerQuery {
  const { kind, from, to } = table.filters
  return {
    ...(kind === undefined ? {} : { kind }),
    ...daySpan({ from, to }, timeZone),
    ...(table.cursor === null ? {} : { cursor: table.cursor }),
  }
}

/** The page shows days until entries are asked for, by themselves or by a filter of theirs. */
export function showsEntries(search: Readonly<Record<string, string>>): boolean {
  return search['view'] === 'entries' || LEDGER_SHAPE.filters.some((name) => (search[name] ?? '') !== '')
}

/** The API knows one order: the newest first. */
export const LEDGER_SHAPE: TableShape = { filters: ['kind', 'from', 'to'], sort: { by: 'created_at', order: 'desc' } }
