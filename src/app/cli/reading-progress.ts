import type { SourceReader } from '../../import/source.ts'
import type { Screen } from './cli-host.ts'
import { CountedProgress, TimedStep } from './progress.ts'

/** How far a source is read: on a terminal by the rows of each table, in a log one line for all of it. */
export class ReadingProgress {
  readonly #screen: Screen
  readonly #step: string
  readonly #counted: CountedProgress
  #timed: TimedStep | null

  /** `step`: as in "Reading new-api". */
  constructor(screen: Screen, step: string) {
    this.#screen = screen
    this.#step = step
    this.#counted = new CountedProgress(screen)
    // Until the first rows are counted.
    this.#timed = new TimedStep(screen, step)
  }

  /** The source to read. In a log nothing is counted. */
  of(source: SourceReader): SourceReader {
    if (!this.#screen.isTerminal) return source
    return countedSource(source, (table, done, all) => {
      this.#timed?.end()
      this.#timed = null
      this.#counted.at(`${this.#step}, ${table}`, done, all)
    })
  }

  end(): void {
    if (this.#timed === null) this.#counted.end()
    else this.#timed.end()
    this.#timed = null
  }
}

const EVERY_ROWS = 100

/** Wraps a source so that it says how far the reading of each of its tables is. */
function countedSource(source: SourceReader, onRows: (table: string, done: number, all: number) => void): SourceReader {
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
