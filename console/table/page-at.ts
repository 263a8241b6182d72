const SHOWN_AT_ONCE = 100

/** A part of rows that are all here already, as the server would page them. The cursor is where the part begins. */
export function pageAt<Row>(rows: readonly Row[], cursor: string | null) {
  const start = /^\d{1,6}$/.test(cursor ?? '') ? Number(cursor) : 0
  const end = start + SHOWN_AT_ONCE
  return { data: rows.slice(start, end), next_cursor: end < rows.length ? String(end) : null, total: rows.length }
}
