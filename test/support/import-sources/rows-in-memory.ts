import type { Row, SourceReader } from '../../../src/import/source.ts'

/** The rows of another gateway’s tables, without a database. */
export function rowsInMemory(tables: Readonly<Record<string, readonly Row[]>>): SourceReader {
  return {
    columns: new Map(
      Object.entries(tables).map(([table, rows]) => [table, new Set(rows.flatMap((row) => Object.keys(row)))]),
    ),
    async *rows(table, columns, after) {
      for (const row of tables[table] ?? []) {
        if (after !== undefined && Number(row['id']) <= Number(after)) continue
        yield Object.fromEntries(['id', ...columns].map((column) => [column, row[column] ?? null]))
      }
    },
    async extentOf(table) {
      const ids = (tables[table] ?? []).map(({ id }) => id ?? null)
      return { rows: ids.length, first: ids[0] ?? null, last: ids.at(-1) ?? null }
    },
    async latest(table, columns) {
      const found = (tables[table] ?? []).map((row) => columns.map((column) => row[column] ?? null))
      const once = new Map(found.map((values) => [JSON.stringify(values), values]))
      return [...once.values()].map((values) =>
        Object.fromEntries(columns.map((column, i) => [column, values[i] ?? null])),
      )
    },
    close: () => Promise.resolve(),
  }
}
