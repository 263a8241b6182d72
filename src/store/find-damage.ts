import { Worker } from 'node:worker_threads'

/**
 * What is wrong with a file as a database, as the end of a sentence that names the file; null: nothing. All of it is read, in
 * a thread of its own: with many gigabytes it takes minutes, and this thread goes on hearing signals. Rejects with the
 * reason of `signal`.
 */
export async function findDamage(path: string, signal: AbortSignal): Promise<string | null> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./damage-thread.ts', import.meta.url), { name: 'damage', workerData: path })
  const found = Promise.withResolvers<string | null>()
  const stop = (): void => {
    found.reject(signal.reason as Error)
    void worker.terminate()
  }
  signal.addEventListener('abort', stop, { once: true })
  worker.once('message', (damage: string | null) => found.resolve(damage))
  worker.once('error', (error) => found.reject(error))
  worker.once('exit', () => found.reject(new Error('the thread ended before its time')))
  try {
    return await found.promise
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
