import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { vi } from 'vitest'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { noonClock } from './store-fixtures.ts'
import type { Place } from './store-under-test.ts'

/**
 * Opens a store of its own on the place and calls `ask`, whose commit succeeds; but the thread, or the connection, dies
 * before it can say so. Returns the error that `ask` gets to see.
 */
export async function lastAnswerLost(place: Place, ask: (store: Store) => Promise<unknown>): Promise<unknown> {
  return place.databaseUrl === null ? lostByThread(place, ask) : lostByConnection(place.databaseUrl, ask)
}

async function lostByThread(place: Place, ask: (store: Store) => Promise<unknown>): Promise<unknown> {
  const posted = vi.spyOn(Worker.prototype, 'postMessage')
  const store = await openStore({ databaseUrl: null, dataDirectory: place.directory, clock: noonClock })
  const [worker] = posted.mock.contexts as Worker[]
  posted.mockRestore()
  if (worker === undefined) throw new Error('the store has no thread')
  const emit = worker.emit.bind(worker)
  worker.emit = (event: string | symbol, ...values: unknown[]) => {
    if (event !== 'message') return emit(event as 'error', ...(values as [unknown]))
    void worker.terminate()
    return true
  }
  const error = await failureOf(ask(store))
  await store.close()
  return error
}

/** A simple query of the wire protocol: its type, its length, its text. */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0')

async function lostByConnection(databaseUrl: string, ask: (store: Store) => Promise<unknown>): Promise<unknown> {
  const server = new URL(databaseUrl)
  let isCutting = false
  const open = new Set<Socket>()
  const between = createServer((client) => {
    const onward = connect(Number(server.port || 5432), server.hostname)
    let isCommitting = false
    for (const socket of [client, onward]) {
      open.add(socket)
      socket.on('error', () => {})
    }
    client.on('data', (data: Buffer) => {
      isCommitting ||= isCutting && data.includes(COMMIT)
      onward.write(data)
    })
    onward.on('data', (data) => (isCommitting ? client.destroy() : client.write(data)))
    client.on('close', () => onward.destroy())
    onward.on('close', () => client.destroy())
  })
  await once(between.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((between.address() as AddressInfo).port)
  const store = await openStore({ databaseUrl: url.href, dataDirectory: '', clock: noonClock })
  isCutting = true
  const error = await failureOf(ask(store))
  await store.close()
  for (const socket of open) socket.destroy()
  between.close()
  return error
}

function failureOf(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => Promise.reject(new Error('the answer came after all')),
    (error: unknown) => error,
  )
}
