import { readFileSync } from 'node:fs'
import { isMainThread, workerData } from 'node:worker_threads'

// Loaded into a gateway process before anything else (see `jumping-clock.ts`): its wall clock follows a file.

const LOOK_MS = 10
const file = process.env['FAULTS_CLOCK_FILE']

// The threads that carry requests have a slot; no other reads the wall clock.
const carriesRequests = isMainThread || (workerData as { slot?: object } | null)?.slot !== undefined

if (carriesRequests && file !== undefined) {
  let offsetMs = 0
  const look = () => {
    offsetMs = Number(readFileSync(file, 'utf8'))
  }
  look()
  setInterval(look, LOOK_MS).unref()
  const MachineDate = Date
  const now = () => MachineDate.now() + offsetMs
  globalThis.Date = new Proxy(MachineDate, {
    construct: (target, parts: [], newTarget) =>
      Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget) as Date,
    apply: () => new MachineDate(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
  })
}
