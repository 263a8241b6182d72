import { timingSafeEqual } from 'node:crypto'
import type { ListPlace } from '../../core/list-place.ts'
import { Problem } from '../problem.ts'

/** Where a list goes on: the values that it is sorted by, of the last row that was shown. */
export type Position = readonly (string | number | null)[]

/** `scope`: what the list is of (path and filters), so that a cursor is good for that list alone. */
export interface Cursors {
  write(position: Position, scope: string): string
  /** Throws Problem `cursor_invalid`. */
  read(cursor: string, scope: string): Position
}

/** Cursors that tell nothing and cannot be made up: the position, and a keyed hash of it and its list. */
export function createCursors(keyedHash: (text: string) => string): Cursors {
  const markOf = (content: string, scope: string) => keyedHash(`${content}\n${scope}`).slice(0, MARK_DIGITS)
  return {
    write(position, scope) {
      const content = Buffer.from(JSON.stringify(position)).toString('base64url')
      return `${markOf(content, scope)}${content}`
    },
    read(cursor, scope) {
      const content = cursor.slice(MARK_DIGITS)
      if (!isSame(cursor.slice(0, MARK_DIGITS), markOf(content, scope))) throw invalid()
      return JSON.parse(Buffer.from(content, 'base64url').toString('utf8')) as Position
    },
  }
}

/** The part of a call that a list is read by. */
export interface ListCall {
  readonly query: { readonly limit: number }
  readonly position: Position | null
  nextCursor(position: Position): string
}

/** A page made from one row more than it holds, with the cursor where that row says that there is more. */
export function onePage<Row>(
  rows: readonly Row[],
  { query: { limit }, nextCursor }: Omit<ListCall, 'position'>,
  positionOf: (row: Row) => Position,
): { readonly rows: readonly Row[]; readonly next_cursor: string | null } {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return { rows: rows.slice(0, limit), next_cursor: last === undefined ? null : nextCursor(positionOf(last)) }
}

/** Where a list that is sorted by id goes on; null: at its beginning. */
export function idAt(position: Position | null): string | null {
  return typeof position?.[0] === 'string' ? position[0] : null
}

/** Where a list that is sorted by time goes on; null: at its beginning. */
export function placeAt(position: Position | null): ListPlace | null {
  const [createdAt, id] = position ?? []
  return typeof createdAt === 'number' && typeof id === 'string' ? { createdAt, id } : null
}

/** Where a list that is sorted by a value of its rows goes on; null: at its beginning. */
export function valueAt(position: Position | null): { readonly value: string; readonly id: string } | null {
  const [value, id] = position ?? []
  return typeof value === 'string' && typeof id === 'string' ? { value, id } : null
}

/** The position of a row in a list that is sorted by time. */
export function placeOf({ createdAt, id }: ListPlace): Position {
  return [createdAt, id]
}

/** 128 bits in base64url. */
const MARK_DIGITS = 22

function isSame(a: string, b: string): boolean {
  return a.length === b.length && Buffer.byteLength(a) === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

function invalid(): Problem {
  return new Problem(
    'cursor_invalid',
    'The cursor does not belong to this list: pass next_cursor as it was returned, with the same filters, or leave it out.',
    { field: 'cursor' },
  )
}

/** A part of a list of objects that have names, sorted by name; those that hold `search`, in any case. */
export function namedPage<Named extends { readonly name: string }>(
  all: readonly Named[],
  call: ListCall & { readonly query: { readonly search?: string | undefined } },
): { readonly rows: readonly Named[]; readonly next_cursor: string | null } {
  const search = call.query.search?.toLowerCase() ?? ''
  const after = call.position?.[0] ?? null
  const rows = all
    .filter(({ name }) => name.toLowerCase().includes(search) && (after === null || name > after))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return onePage(rows, call, ({ name }) => [name])
}
