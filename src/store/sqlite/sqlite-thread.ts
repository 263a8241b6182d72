import { getPriority, setPriority } from 'node:os'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { unpackSettlements } from '../books/packed-settlements.ts'
import { BatchWriter } from './batch-writer.ts'
import { FileConnection } from './file-connection.ts'
import { Checkpoints } from './checkpoints.ts'
import { JournalFiles } from './journal/journal-files.ts'
import type { FoldAnswer, GivenFile } from './journal/journal-writer.ts'
import { FOLDED_INTO, SettleJournal } from './journal/settle-journal.ts'
import { LineTurns } from './line-turns.ts'
import { QuietCollector } from './quiet-collector.ts'
import { resultCode } from './sqlite-failure.ts'
import type {
  ConnectionName,
  FoldJournalQuestion,
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
let databaseFile = ''
let checkpoints: Checkpoints | undefined
const quiet = new QuietCollector()
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
    case 'takeJournal':
      return takeJournal(line)
    case 'foldJournal':
      return foldJournal(question)
    case 'releaseJournal':
      return journal?.release(question.number)
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
    databaseFile = file
    const writer = FileConnection.forWriting(file)
    connections.set('writer', writer)
    checkpoints = new Checkpoints(file, { writer, sqlite: process.versions['sqlite'] ?? '' })
  }
  connections.set('reader', FileConnection.forReading(file))
}

/**
 * A reading finds the books as of this moment, or of a moment ago when the disk is in the way. A writing has to find all of
 * it. Within a transaction it was folded when that began, and none can be added until it is over.
 */
function run({ on, sql, parameters }: RunQuestion): RunAnswer {
  if (on === 'writer') {
    if (sql.startsWith('begin') || FOLDED_INTO.test(sql)) foldBefore()
  } else if (FOLDED_INTO.test(sql)) {
    try {
      foldBefore()
    } catch {}
  }
  return connection(on).run(sql, parameters)
}

function foldBefore(): void {
  if (journal !== undefined && !connection('writer').isInTransaction) journal.foldAll()
}

function openJournal(): void {
  if (journal !== undefined) return
  const onRefused = ({ message }: Error) =>
    parentPort?.postMessage({ kind: 'trouble', message } satisfies SqliteThreadMessage)
  journal = new SettleJournal({
    connection: connection('writer'),
    books: booksOfFile(),
    files: new JournalFiles(databaseFile),
    onRefused,
    onFolded: wrote,
  })
  journal.nameMissing()
  journal.foldStored()
}

function takeJournal(line: MessagePort): GivenFile | null {
  const taken = journal?.take() ?? null
  if (taken === null) return null
  if (shared.size === 0) letRequestsGoFirst()
  const { number, path, epoch } = taken
  line.once('close', () => setTimeout(() => journal?.release(number), RELEASE_MS).unref())
  return { number, path, epoch }
}

/** Niceness that leaves the thread a quarter of a core that another wants. With 10 it would have a tenth, for the same p99. */
const NICER_BY = 5
const NICEST = 19
let isNicer = false

/**
 * Where both want one core, the thread that carries requests goes before a fold of what it settled: with 500 requests a second their
 * p99 is 2.3 ms in place of 3.1. Where several carry requests, they cannot do without what this one does for all of them.
 * Linux keeps this for each thread, and 0 is the one that calls (setpriority(2)); elsewhere it would be the process.
 */
function letRequestsGoFirst(): void {
  if (process.platform !== 'linux' || isNicer) return
  isNicer = true
  try {
    setPriority(0, Math.min(NICEST, getPriority(0) + NICER_BY))
  } catch {
    // A sandbox may refuse it.
  }
}

/** A thread that ended may have had a last write under way. */
const RELEASE_MS = 10_000

function foldJournal({ number, durably }: FoldJournalQuestion): FoldAnswer {
  if (journal === undefined) return { overruns: 0, place: null, isDeleted: false }
  const place = durably ? journal.foldDurably(number) : journal.foldSoon(number)
  return { overruns: journal.takeOverruns(), place, isDeleted: journal.isDeleted(number) }
}

function settle({ batch }: SettleQuestion): number {
  foldBefore()
  const overruns = booksOfFile().write(unpackSettlements([batch]))
  wrote()
  return overruns
}

/** Settlements have come into the books. */
function wrote(): void {
  checkpoints?.wrote()
  quiet.worked()
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
  quiet.close()
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
  turns ??= new LineTurns({ serve: serveWriting, isInTransaction, rollBack }, among)
  shared.add(line)
  line.on('message', (request: ThreadRequest) => hear(line, request))
  line.on('close', () => {
    shared.delete(line)
    if (watchers.has(line)) watch(null, line)
    turns?.leave(line)
    if (!isInTransaction()) serveWaiting()
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
  if (!writes) return serveBeside(line, request)
  if (turns === null) serveWriting(line, request)
  else turns.take(line, request)
}

/** Who waits for the end of a transaction has a turn behind it, also where the next one is waiting already. */
function serveWriting(line: MessagePort, request: ThreadRequest): void {
  serve(line, request)
  if (!isInTransaction()) serveWaiting()
}

/**
 * Within a transaction nothing can be folded, and settlements become durable meanwhile: who reads beside it waits for its end,
 * to find them in the books. One that goes on for longer than `LONGEST_WAIT_MS` is read past.
 */
function serveBeside(line: MessagePort, request: ThreadRequest): void {
  const { kind } = request.question
  const reads = kind === 'fold' || (request.question.kind === 'run' && FOLDED_INTO.test(request.question.sql))
  if (!isInTransaction() || !(FOLDING.has(kind) || (reads && journal?.hasUnfolded === true)))
    return serve(line, request)
  waiting.push({ line, request })
  if (reads) waitingTimer ??= setTimeout(() => serveWaiting(), LONGEST_WAIT_MS)
}

const FOLDING: ReadonlySet<ThreadQuestion['kind']> = new Set(['takeJournal', 'foldJournal'])
const LONGEST_WAIT_MS = 250
let waiting: { readonly line: MessagePort; readonly request: ThreadRequest }[] = []
let waitingTimer: NodeJS.Timeout | undefined

function serveWaiting(): void {
  clearTimeout(waitingTimer)
  waitingTimer = undefined
  if (waiting.length === 0) return
  const all = waiting
  waiting = []
  for (const each of all) {
    if (isInTransaction() && FOLDING.has(each.request.question.kind)) waiting.push(each)
    else serve(each.line, each.request)
  }
}

function isInTransaction(): boolean {
  return connections.get('writer')?.isInTransaction ?? false
}

/** Tells every line, whether it watches or not: lines have no order among them, and a `watch` may be behind this. */
function announce(from: MessagePort): void {
  for (const line of shared) if (line !== from) send(line, { kind: 'committed' })
  if (first !== null && first !== from) send(first, { kind: 'committed' })
}

const first = parentPort
first?.on('message', (request: ThreadRequest) => hear(first, request))
