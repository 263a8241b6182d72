import { setImmediate } from 'node:timers/promises'
import { type Extent, keyColumnOf, type Row, type SourceReader } from '../source.ts'

/** What one engine adds: a connection within a snapshot, and the two words in which its SQL differs. */
export interface SqlAccess {
  query(sql: string): Promise<readonly Row[]>
  quoted(name: string): string
  /** Rows of `table_name`, `column_name` and, where a column has one, `column_default`, as the engine writes it. */
  readonly columnsQuery: string
  close(): Promise<void>
}

/** An embedded source is read at once: signals and timers have their turn between portions. */
const PORTION = 1_000
/** Tables without ids, such as options and abilities, are read at once. */
const AT_ONCE = 500_000

/** Reads whatever `access` is connected to. Closes it where its tables cannot be listed. */
export async function sqlSource(access: SqlAccess): Promise<SourceReader> {
  const columns = new Map<string, Set<string>>()
  const defaults = new Map<string, Map<string, string>>()
  /** Names as the source writes them, which may be with capitals. */
  const written = new Map<string, string>()
  try {
    for (const row of await access.query(access.columnsQuery)) {
      const table = (row['table_name'] ?? '').toLowerCase()
      written.set(table, row['table_name'] ?? '')
      const column = (row['column_name'] ?? '').toLowerCase()
      columns.set(table, (columns.get(table) ?? new Set<string>()).add(column))
      const standing = writtenDefault(row['column_default'] ?? '')
      if (standing !== null)
        defaults.set(table, (defaults.get(table) ?? new Map<string, string>()).set(column, standing))
    }
  } catch (error) {
    await access.close()
    throw error
  }
  const named = (table: string) => ({
    table: written.get(table) ?? table,
    there: columns.get(table) ?? new Set<string>(),
  })
  return {
    columns,
    defaults,
    rows: (table, wanted, after) => readRows(access, { ...named(table), wanted, after, key: keyColumnOf(table) }),
    extentOf: (table) => extentOf(access, named(table)),
    latest: (table, wanted) => latest(access, { ...named(table), wanted }),
    close: () => access.close(),
  }
}

/** The value of a default that is written out, such as `'active'::character varying`; null for a function and for none. */
function writtenDefault(text: string): string | null {
  const [, quoted] = /^\(?'((?:[^']|'')*)'\)?(?:::[\w\s"[\](),]{1,60})?$/.exec(text.trim()) ?? []
  if (quoted !== undefined) return quoted.replaceAll("''", "'")
  const [, plain = null] = /^\(?(-?[\w.]{1,60})\)?(?:::[\w\s]{1,60})?$/.exec(text.trim()) ?? []
  return plain === null || plain.toLowerCase() === 'null' ? null : plain
}

async function extentOf(
  access: SqlAccess,
  { table, there }: { table: string; there: ReadonlySet<string> },
): Promise<Extent> {
  const id = access.quoted('id')
  const ends = there.has('id') ? `, min(${id}) as first_id, max(${id}) as last_id` : ''
  const [row = {}] = await access.query(`select count(*) as counted${ends} from ${access.quoted(table)}`)
  return { rows: Number(row['counted'] ?? 0), first: row['first_id'] ?? null, last: row['last_id'] ?? null }
}

/** So many rows say what is in use; a table of logs may have hundreds of millions. */
const LATEST = 1_000_000
const COMBINATIONS = 20_000

async function latest(
  access: SqlAccess,
  { table, there, wanted }: { table: string; there: ReadonlySet<string>; wanted: readonly string[] },
): Promise<readonly Row[]> {
  const names = wanted.filter((name) => there.has(name)).map((name) => access.quoted(name))
  if (names.length === 0 || !there.has('id')) return []
  const [id, from] = [access.quoted('id'), access.quoted(table)]
  return access.query(
    `select distinct ${names.join(', ')} from ${from} where ${id} > (select max(${id}) - ${LATEST} from ${from}) limit ${COMBINATIONS}`,
  )
}

/** A key that is a text is nothing to count on from; within one snapshot the rows have their places. */
async function* inTurn(access: SqlAccess, select: string): AsyncGenerator<Row> {
  for (let place = 0; ; place += PORTION) {
    const rows = await access.query(`${select} limit ${PORTION} offset ${place}`)
    await setImmediate()
    yield* rows
    if (rows.length < PORTION) return
  }
}

async function* readRows(
  access: SqlAccess,
  about: {
    table: string
    wanted: readonly string[]
    there: ReadonlySet<string>
    key: string | undefined
    after?: string | undefined
  },
): AsyncGenerator<Row> {
  const { table, wanted, there, key, after = '0' } = about
  const names = [...new Set(there.has('id') ? ['id', ...wanted] : wanted)].filter((name) => there.has(name))
  if (names.length === 0) return
  const select = `select ${names.map((name) => access.quoted(name)).join(', ')} from ${access.quoted(table)}`
  if (key !== undefined && there.has(key)) {
    yield* inTurn(access, `${select} order by ${access.quoted(key)}`)
    return
  }
  if (!there.has('id')) {
    yield* await access.query(`${select} limit ${AT_ONCE}`)
    return
  }
  const id = access.quoted('id')
  let last = /^\d{1,19}$/.test(after) ? after : '0'
  while (true) {
    const rows = await access.query(`${select} where ${id} > ${last} order by ${id} limit ${PORTION}`)
    await setImmediate()
    yield* rows
    const next = rows.at(-1)?.['id'] ?? ''
    if (rows.length < PORTION || !/^\d{1,19}$/.test(next)) return
    last = next
  }
}

/** What a server that is read from may take, and what it is taken for when it takes longer. */

export const CONNECT_TIMEOUT_MS = 10_000
/** A portion of a thousand rows takes milliseconds, and the largest table that is read at once some seconds. */
export const QUERY_TIMEOUT_MS = 120_000

/** The failure of a source that answered nothing for all that time. */
export function silentSource(cause: unknown, limitMs = QUERY_TIMEOUT_MS): Error {
  return new Error(`it did not answer within ${limitMs / 1_000} s`, { cause })
}
