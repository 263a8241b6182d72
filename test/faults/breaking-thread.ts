import { existsSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

// Loaded into a gateway process before anything else (see `threads-that-break.long.test.ts`): a thread that carries requests
// throws where nothing catches it, once for each file that says so by the thread's number.

const LOOK_MS = 10
const start = process.env['FAULTS_BREAK_FILE']
const slot = (workerData as { slot?: { index: number } } | null)?.slot

if (start !== undefined && slot !== undefined) {
  const file = `${start}-${slot.index}`
  // A thread that is started again goes on until it is asked anew.
  const isOld = existsSync(file) && !existsSync(`${start}-always`)
  setInterval(() => {
    if (!isOld && existsSync(file)) throw new Error('this thread is broken by its test')
  }, LOOK_MS).unref()
}
