import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { CheckpointThreadData } from './thread-messages.ts'

// Brings the write-ahead file back into the database beside the thread that writes, each time it is asked.

const { file, closed } = workerData as CheckpointThreadData
process.once('exit', sayClosed)
const database = new DatabaseSync(file, { timeout: 0 })
const checkpoint = database.prepare('pragma wal_checkpoint(passive)')

parentPort?.on('message', (what: 'checkpoint' | 'close') => {
  if (what === 'close') return close()
  try {
    checkpoint.get()
    // What was written meanwhile: a few pages.
    checkpoint.get()
  } catch {
    // The disk stands in the way. The writer comes to it by itself, and says what is wrong.
  }
  parentPort?.postMessage(null)
})

function close(): void {
  database.close()
  sayClosed()
  parentPort?.close()
}

/** Also when the file cannot be opened: the thread that waits for this hears of nothing else. */
function sayClosed(): void {
  Atomics.store(closed, 0, 1)
  Atomics.notify(closed, 0)
}
