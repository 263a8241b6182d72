import { parentPort } from 'node:worker_threads'
import { BatchWriter } from './batch-writer.ts'
import { FileConnection } from './file-connection.ts'
import type { ConnectionName, ThreadMessage, ThreadQuestion, ThreadRequest } from './thread-messages.ts'

// The thread that holds the database file. Every commit waits for the disk here, and nowhere else. What this file imports
// is loaded at each start of the gateway: keep it small.

const connections = new Map<ConnectionName, FileConnection>()
let batches: BatchWriter | undefined
let watching: NodeJS.Timeout | undefined

function answer(question: ThreadQuestion): unknown {
  switch (question.kind) {
    case 'open':
      return open(question.file, question.role)
    case 'run':
      return connection(question.on).run(question.sql, question.parameters)
    case 'settle':
      return (batches ??= new BatchWriter(connection('writer'))).write(question.batch)
    case 'watch':
      return watch(question.everyMs)
    case 'close':
      return close()
  }
}

function open(file: string, role: 'writer' | 'reader'): void {
  // The writer first: it is the one that makes the file what it should be.
  if (role === 'writer') connections.set('writer', FileConnection.forWriting(file))
  connections.set('reader', FileConnection.forReading(file))
}

function connection(name: ConnectionName): FileConnection {
  const found = connections.get(name)
  if (found === undefined) throw new Error(`this thread has no connection for a ${name}`)
  return found
}

function watch(everyMs: number | null): void {
  clearInterval(watching)
  if (everyMs === null) return
  let seen = connection('writer').dataVersion()
  watching = setInterval(() => {
    try {
      const version = connection('writer').dataVersion()
      if (version !== seen) send({ kind: 'committed' })
      seen = version
    } catch {
      // The disk or another process stands in the way for now: the next look may succeed.
    }
  }, everyMs)
}

function close(): void {
  clearInterval(watching)
  // The reader first: the last connection to close folds the write-ahead file back into the database.
  connections.get('reader')?.close()
  connections.get('writer')?.close()
  connections.clear()
}

function send(message: ThreadMessage): void {
  parentPort?.postMessage(message)
}

parentPort?.on('message', ({ id, question }: ThreadRequest) => {
  try {
    send({ kind: 'answer', id, value: answer(question) })
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : null
    send({ kind: 'failure', id, message: error instanceof Error ? error.message : String(error), code })
  }
  if (question.kind === 'close') parentPort?.close()
})
