import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

// One call of SQLite, which returns when it has read the whole file.

parentPort?.postMessage(damageOf(workerData as string))

function damageOf(path: string): string | null {
  try {
    using database = new DatabaseSync(path)
    // Each row is looked up in each index: with the usual 2 MB most of the file would be read again and again.
    database.exec('pragma cache_size = -65536')
    const found = String(Object.values(database.prepare('pragma integrity_check(1)').get() ?? {})[0])
    // A heading may stand before it, on a line of its own.
    return found === 'ok' ? null : `is damaged (${found.split('\n').at(-1)})`
  } catch (error) {
    // `file is not a database` and the like: SQLite's own words.
    return `cannot be read as a database (${error instanceof Error ? error.message : String(error)})`
  }
}
