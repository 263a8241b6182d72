import { z } from '@hono/zod-openapi'
import { invariant } from '../../core/invariant.ts'
import type { ControlParts } from '../parts.ts'
import type { Position } from './paging.ts'
import type { ApiCall, ApiRoute } from './route.ts'
import { FILE_FORMATS, type FileFormat, MEDIA_TYPES, tableFile } from './table-file.ts'

/** The most that a page of a list may have. */
const PAGE = 200
/** A million rows: more than an export is good for. What is left out is there by a narrower filter. */
const PAGES_LIMIT = 5_000

/**
 * The whole of a list as a file to download, at the list's path with `.csv` and `.ndjson` after it. Both take the list's
 * filters, are read by whom the list is, and have what it shows, page by page by its own handler. `formats`: one of them,
 * where the other has a route of its own.
 */
export function listFiles(
  list: ApiRoute,
  { name, formats = FILE_FORMATS }: { readonly name: string; readonly formats?: readonly FileFormat[] },
): readonly ApiRoute[] {
  const item = itemOf(list)
  const columns = columnsOf(item)
  return formats.map((format) => ({
    ...list,
    path: `${list.path}.${format}`,
    summary: `Read the ${name.replace('-', ' ')} of a filter as ${format.toUpperCase()}`,
    description: `${FORMS[format]} With the filters of GET ${list.path}, and what it shows.`,
    query: fileQuery(list, format),
    answer: null,
    mediaType: MEDIA_TYPES[format],
    status: 200,
    problems: list.problems.filter((code) => code !== 'cursor_invalid'),
    handle: async (call, parts) => {
      const { bom, ...filter } = (call.query ?? {}) as Readonly<Record<string, unknown>>
      const pages = readPages(list, { call, filter, parts })
      // What is wrong with the question is answered as a problem, not as a file that breaks off.
      const first = await pages.next()
      return tableFile(
        { name, columns, pages: withFirst(first, pages) },
        { format, startsWithMark: bom === 'true', nowMs: call.nowMs },
      )
    },
  }))
}

const FORMS: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv as in RFC 4180, with a header row. Text that a spreadsheet would run begins with an apostrophe; what is nested deeper than its columns is JSON.',
  ndjson: 'application/x-ndjson: one JSON object a line.',
}

type Items = readonly object[]

async function* readPages(
  list: ApiRoute,
  { call, filter, parts }: { readonly call: ApiCall; readonly filter: object; readonly parts: ControlParts },
): AsyncGenerator<Items, undefined> {
  let position: Position | null = null
  for (let page = 0; page < PAGES_LIMIT; page++) {
    let next: Position | null = null
    const nextCursor = (after: Position): string => {
      next = after
      return ''
    }
    const query = list.query === null ? null : { ...filter, limit: PAGE }
    const answer = await list.handle({ ...call, query, position, nextCursor }, parts)
    yield (answer as { readonly data: Items }).data
    if (next === null) return
    position = next
  }
}

async function* withFirst(
  first: IteratorResult<Items, undefined>,
  rest: AsyncGenerator<Items, undefined>,
): AsyncGenerator<Items, undefined> {
  try {
    if (first.done === true) return
    yield first.value
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}

/** The list's filters, without what pages it. */
function fileQuery(list: ApiRoute, format: FileFormat): z.ZodType {
  const shape = list.query instanceof z.ZodObject ? list.query.shape : {}
  const { limit: _limit, cursor: _cursor, ...filters } = shape
  const bom = z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true`: begins with the mark by which Excel knows UTF-8')
  return z.object({ ...filters, ...(format === 'csv' ? { bom } : {}) })
}

function itemOf(list: ApiRoute): z.ZodObject {
  const data = list.answer instanceof z.ZodObject ? list.answer.shape['data'] : null
  const item = data instanceof z.ZodArray ? data.element : null
  invariant(item instanceof z.ZodObject, `${list.path} is answered as a list of objects`)
  return item
}

/** Deeper than this, an object is one column. */
const DEPTH = 3

/** A column for each field, by the schema, so that an empty file has its header too; fields of objects as `limits_rpm`. */
function columnsOf(
  schema: z.ZodObject,
  path: readonly string[] = [],
): { name: string; valueOf(row: object): unknown }[] {
  return Object.entries(schema.shape).flatMap(([field, type]) => {
    const here = [...path, field]
    const inner = unwrapped(type)
    if (inner instanceof z.ZodObject && here.length < DEPTH) return columnsOf(inner, here)
    return [{ name: here.join('_'), valueOf: (row: object) => valueAt(row, here) }]
  })
}

function unwrapped(type: unknown): unknown {
  let inner = type
  while (inner instanceof z.ZodNullable || inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) {
    inner = inner.unwrap()
  }
  return inner
}

function valueAt(row: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, field) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? (value as Readonly<Record<string, unknown>>)[field]
        : undefined,
    row,
  )
}
