import type { SourceReader } from './source.ts'

const EVERY_ROWS = 100

/** Wraps a source so that it says how far the reading of each of its tables is. */
export function countedSource(
  source: SourceReader,
  onRows: (table: string, done: number, all: number) => void,
): SourceReader {
  return {
    ...source,
    async *rows(table, columns, after) {
      if (!source.columns.has(table)) return
      const { rows: all } = await source.extentOf(table)
      let done = 0
      onRows(table, done, all)
      for await (const row of source.rows(table, columns, after)) {
        yield row
        done += 1
        // Within one snapshot there are no more; a source without one may have grown.
        if (done % EVERY_ROWS === 0) onRows(table, done, Math.max(all, done))
      }
    },
  }
}
