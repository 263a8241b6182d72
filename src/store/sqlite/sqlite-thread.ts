import { type MessagePort, parentPort } from 'node:worker_threads'
import { headOf, unpackSettlements } from '../books/packed-settlements.ts'
import { BatchWriter } from './batch-writer.ts'
import { FileConnection } from './file-connection.ts'
import { Checkpoints } from './checkpoints.ts'
import { LineTurns } from './line-turns.ts'
import { SettleJournal } from './settle-journal.ts'
import { resultCode } from './sqlite-failure.ts'
import type {
  ConnectionName,
  RunAnswer,
  RunQuestion,
  SettleQuestion,
  SqliteThreadMessage,
  ThreadQuestion,
  ThreadRequest,
} from './thread-messages.ts'

// The thread that holds the database file. Every commit waits for the disk here, and nowhere else. What this file imports
// is loaded at each start of the gateway: keep it small.

const connections = new Map<ConnectionName, FileConnection>()
let books: BatchWriter | undefined
/** The journal, from the moment on at which the tables are known to be up to date. */
let journal: SettleJournal | undefined
let checkpoints: Checkpoints | undefined
/** The lines for which commits of other processes are looked for. */
const watchers = new Set<MessagePort>()
let watching: NodeJS.Timeout | undefined
/** The turns of the lines to write. One line alone needs no turns, and has none. */
let turns: LineTurns<MessagePort> | null = null
const shared = new Set<MessagePort>()

function answer(question: ThreadQuestion, line: MessagePort): unknown {
  switch (question.kind) {
    case 'open':
      return open(question.file, question.role)
    case 'run':
      return run(question)
    case 'openJournal':
      return openJournal()
    case 'fold':
      return foldBefore()
    case 'settle':
      return settle(question)
    case 'watch':
      return watch(question.everyMs, line)
    case 'close':
      return line === parentPort ? close() : undefined
    case 'share':
    case 'announce':
      return undefined
  }
}

function open(file: string, role: 'writer' | 'reader'): void {
  // The writer first: it is the one that makes the file what it should be.
  if (role === 'writer') {
    const writer = FileConnection.forWriting(file)
    connections.set('writer', writer)
    checkpoints = new Checkpoints(file, { finish: () => writer.checkpoint(), sqlite: process.versions['sqlite'] ?? '' })
  }
  connections.set('reader', FileConnection.forReading(file))
}

/**
 * A reading finds the books as of this moment, or of a moment ago when the disk is in the way. A writing has to find all of
 * it. Within a transaction it was folded when that began, and none can be added until it is over.
 */
function run({ on, sql, parameters }: RunQuestion): RunAnswer {
  if (on === 'writer') {
    if (!ENDINGS.has(sql)) foldBefore()
  } else {
    try {
      foldBefore()
    } catch {}
  }
  return connection(on).run(sql, parameters)
}

const ENDINGS: ReadonlySet<string> = new Set(['commit', 'rollback'])

function foldBefore(): void {
  if (journal !== undefined && !connection('writer').isInTransaction) journal.foldAll()
}

function openJournal(): void {
  const onRefused = ({ message }: Error) =>
    parentPort?.postMessage({ kind: 'trouble', message } satisfies SqliteThreadMessage)
  journal ??= new SettleJournal({ connection: connection('writer'), books: booksOfFile(), onRefused })
}

function settle({ batch, mayJournal }: SettleQuestion): number {
  checkpoints?.wrote(headOf(batch).count)
  if (mayJournal && journal !== undefined) return journal.add(batch)
  foldBefore()
  return booksOfFile().write(unpackSettlements([batch]))
}

function booksOfFile(): BatchWriter {
  return (books ??= new BatchWriter(connection('writer')))
}

function connection(name: ConnectionName): FileConnection {
  const found = connections.get(name)
  if (found === undefined) throw new Error(`this thread has no connection for a ${name}`)
  return found
}

function watch(everyMs: number | null, line: MessagePort): void {
  if (everyMs === null) watchers.delete(line)
  else watchers.add(line)
  if (watchers.size > 0 && watching !== undefined) return
  clearInterval(watching)
  watching = undefined
  if (everyMs === null) return
  let seen = connection('writer').dataVersion()
  watching = setInterval(() => {
    try {
      const version = connection('writer').dataVersion()
      if (version !== seen) for (const watcher of watchers) send(watcher, { kind: 'committed' })
      seen = version
    } catch {
      // The disk or another process stands in the way for now: the next look may succeed.
    }
  }, everyMs)
}

function close(): void {
  clearInterval(watching)
  try {
    foldBefore()
  } catch {
    // It stays in the journal, for the next process that opens the file.
  }
  journal?.close()
  checkpoints?.close()
  // The reader first: the last connection to close folds the write-ahead file back into the database.
  connections.get('reader')?.close()
  connections.get('writer')?.close()
  connections.clear()
  for (const line of shared) line.close()
}

function send(line: MessagePort, message: SqliteThreadMessage): void {
  line.postMessage(message)
}

function serve(line: MessagePort, { id, question }: ThreadRequest): void {
  try {
    send(line, { kind: 'answer', id, value: answer(question, line) })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    send(line, { kind: 'failure', id, message, code: resultCode(error) })
  }
  if (question.kind === 'close') line.close()
}

/** A line of another thread. One that ends in the middle of a transaction takes it along. */
function share(line: MessagePort, among: MessagePort): void {
  turns ??= new LineTurns({ serve, isInTransaction: () => connection('writer').isInTransaction, rollBack }, among)
  shared.add(line)
  line.on('message', (request: ThreadRequest) => hear(line, request))
  line.on('close', () => {
    shared.delete(line)
    if (watchers.has(line)) watch(null, line)
    turns?.leave(line)
  })
}

function rollBack(): void {
  connections.get('writer')?.rollBack()
}

function hear(line: MessagePort, request: ThreadRequest): void {
  const { question } = request
  if (question.kind === 'share') return share(question.line, line)
  if (question.kind === 'announce') return announce(line)
  const writes = question.kind === 'settle' || (question.kind === 'run' && question.on === 'writer')
  if (turns === null || !writes) return serve(line, request)
  turns.take(line, request)
}

/** Tells every line, whether it watches or not: lines have no order among them, and a `watch` may be behind this. */
function announce(from: MessagePort): void {
  for (const line of shared) if (line !== from) send(line, { kind: 'committed' })
  if (first !== null && first !== from) send(first, { kind: 'committed' })
}

const first = parentPort
first?.on('message', (request: ThreadRequest) => hear(first, request))
