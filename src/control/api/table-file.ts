import { csvLine, csvText } from './csv.ts'
import { timeOnWire } from './wire-forms.ts'

export const FILE_FORMATS = ['csv', 'ndjson'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

/** What a file is made of: pages of rows, each of which is read when the reader has taken the one before. */
export interface FileTable<Row> {
  /** As in `tollgate-keys-2026-11-24.csv`. */
  readonly name: string
  /** Of the CSV, in its order; NDJSON has each row as it is. */
  readonly columns: readonly { readonly name: string; valueOf(row: Row): unknown }[]
  /** Ends by itself; what it throws breaks the file off. */
  readonly pages: AsyncIterator<readonly Row[]>
}

/** How a file is asked for. */
export interface FileWish {
  readonly format: FileFormat
  /** Of a CSV: with the mark by which Excel knows UTF-8. */
  readonly startsWithMark: boolean
  /** For its name; epoch milliseconds. */
  readonly nowMs: number
}

/** A table as a file to download, which is written while it is read: one page of it is in memory at a time. */
export function tableFile<Row>(table: FileTable<Row>, { format, startsWithMark, nowMs }: FileWish): Response {
  const { columns, pages } = table
  const head = format === 'csv' ? (startsWithMark ? '\uFEFF' : '') + csvLine(columns.map(({ name }) => name)) : ''
  const lineOf = (row: Row): string =>
    format === 'csv' ? csvLine(columns.map(({ valueOf }) => csvCell(valueOf(row)))) : `${JSON.stringify(row)}\n`
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (head !== '') controller.enqueue(encoder.encode(head))
      },
      async pull(controller) {
        // A page may be empty and others come all the same.
        for (;;) {
          const page = await pages.next()
          if (page.done === true) return controller.close()
          if (page.value.length > 0) return controller.enqueue(encoder.encode(page.value.map(lineOf).join('')))
        }
      },
      async cancel() {
        await pages.return?.()
      },
    },
    { highWaterMark: 1 },
  )
  return new Response(body, {
    headers: {
      'content-type': format === 'csv' ? 'text/csv; charset=utf-8; header=present' : MEDIA_TYPES.ndjson,
      'content-disposition': `attachment; filename="tollgate-${table.name}-${timeOnWire(nowMs).slice(0, 10)}.${format}"`,
    },
  })
}

export const MEDIA_TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

/**
 * A value as a spreadsheet may have it: numbers, amounts and times as they are, any other text safe from being run
 * (`csvText`), lists of texts with blanks between, and what is deeper as JSON.
 */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return PLAIN_NUMBER.test(value) ? value : csvText(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const isListOfTexts = Array.isArray(value) && value.every((each) => typeof each === 'string')
  return csvText(isListOfTexts ? value.join(' ') : JSON.stringify(value))
}

/** An amount below zero begins as formulas do, and is none. */
const PLAIN_NUMBER = /^-?\d{1,30}(\.\d{1,30})?$/
