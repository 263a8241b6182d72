import { timeOnWire } from './wire-forms.ts'

export const FILE_FORMATS = ['csv', 'ndjson'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

/** What a file is made of: pages of rows, each of which is read when the reader has taken the one before. */
export interface FileTable<Row> {
  /** The subject, as in `tollgate-keys-2026-11-24.csv`. */
  readonly name: string
  /** Columns of the CSV, in order; NDJSON has each row as it is. */
  readonly columns: readonly { readonly name: string; valueOf(row: Row): unknown }[]
  /** Ends by itself; what it throws breaks the file off. */
  readonly pages: AsyncIterator<readonly Row[]>
}

/** How a file is asked for. */
export interface FileRequest {
  readonly format: FileFormat
  /** Whether a CSV begins with the mark by which Excel knows UTF-8. */
  readonly startsWithMark: boolean
  /** The time in its name; epoch milliseconds. */
  readonly nowMs: number
}

/** A table as a file to download. */
export function tableFile<Row>({ name, columns, pages }: FileTable<Row>, { format, ...how }: FileRequest): Response {
  const fileName = `${name}-${dayOnWire(how.nowMs)}`
  if (format === 'csv') {
    const cells = columns.map((column): CsvColumn<Row> => [column.name, (row) => csvCell(column.valueOf(row))])
    return csvAnswer(csvStream(cells, pages, how), fileName)
  }
  return download(
    streamOf('', (row: Row) => `${JSON.stringify(row)}\n`, pages),
    `${fileName}.ndjson`,
    MEDIA_TYPES.ndjson,
  )
}

/** A column of a CSV: its name, and what is written of a row, as it stands in the file but for quotation marks. */
export type CsvColumn<Row> = readonly [name: string, cell: (row: Row) => string]

/** A table as CSV (RFC 4180), with a header row. `startsWithMark`: with the mark by which Excel knows UTF-8. */
export function csvStream<Row>(
  columns: readonly CsvColumn<Row>[],
  pages: AsyncIterator<readonly Row[]>,
  { startsWithMark }: { readonly startsWithMark: boolean },
): ReadableStream<Uint8Array> {
  const head = (startsWithMark ? '\uFEFF' : '') + csvLine(columns.map(([name]) => name))
  return streamOf(head, (row) => csvLine(columns.map(([, cell]) => cell(row))), pages)
}

/** A CSV to download. `name`: without the program’s before it and the ending. */
export function csvAnswer(body: ReadableStream<Uint8Array>, name: string): Response {
  return download(body, `${name}.csv`, 'text/csv; charset=utf-8; header=present')
}

/** Rows that are read at once, as the only page of a file. */
export async function* onePageOf<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[], undefined> {
  yield rows
}

/** Pages that are read one after the other, each from where the one before ended; `next` null: it was the last. */
export async function* pagesFrom<Row, Place>(
  read: (after: Place | null) => Promise<{ readonly rows: readonly Row[]; readonly next: Place | null }>,
): AsyncGenerator<readonly Row[], undefined> {
  let after: Place | null = null
  do {
    const page: Awaited<ReturnType<typeof read>> = await read(after)
    yield page.rows
    after = page.next
  } while (after !== null)
}

/** The day of a time, in UTC. */
export function dayOnWire(ms: number): string {
  return timeOnWire(ms).slice(0, 10)
}

function download(body: ReadableStream<Uint8Array>, name: string, contentType: string): Response {
  return new Response(body, {
    headers: { 'content-type': contentType, 'content-disposition': `attachment; filename="tollgate-${name}"` },
  })
}

/** Written while it is read: a page is in memory at a time, and none is read after the reader has left. */
function streamOf<Row>(
  head: string,
  lineOf: (row: Row) => string,
  pages: AsyncIterator<readonly Row[]>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
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

/** A line of a CSV file (RFC 4180). */
function csvLine(cells: readonly string[]): string {
  return cells.map(quoted).join(',') + '\r\n'
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/**
 * Spreadsheets run what begins like a formula, and names of keys, models and programs are arbitrary text. An apostrophe in
 * front keeps it text (OWASP, "CSV Injection"); the full-width forms are taken for the same signs in some languages.
 */
export function csvText(value: string | null): string {
  if (value === null) return ''
  return /^\s*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(value) ? `'${value}` : value
}
