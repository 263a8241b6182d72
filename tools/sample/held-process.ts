import crypto, { createCipheriv } from 'node:crypto'
import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { isMainThread } from 'node:worker_threads'

// Loaded into a gateway process before anything else (see `sample-process.ts`), so that it writes the same rows and shows the
// same pages in every run: its wall clock stands still until it is moved, and what it draws follows from a number. What only
// grows (`performance.now`) is left alone, so that time-outs and retries work as ever, unless SAMPLE_HOLDS_ELAPSED is set: then
// it goes with the wall clock, and nothing takes any time.

/** A moment to move to, or one that was reached. */
export interface HeldTime {
  readonly standsAtMs: number
  /** What is drawn from now on follows from this; absent: what is drawn goes on as it was. */
  readonly drawsFrom?: string
}

const standsAt = process.env['SAMPLE_STANDS_AT_MS']
const seed = process.env['SAMPLE_SEED']
const holdsElapsed = process.env['SAMPLE_HOLDS_ELAPSED'] !== undefined
const freezesAt = process.env['SAMPLE_FREEZES_AT']

const draws = isMainThread && seed !== undefined ? drawFrom(seed) : null
if (isMainThread && standsAt !== undefined) holdClock(Number(standsAt))
// The thread of the embedded database: see `settle-journal.ts`.
if (!isMainThread && freezesAt !== undefined) freezeBehindSettlement(freezesAt)

function holdClock(startMs: number): void {
  let nowMs = startMs
  const MachineDate = Date
  const now = () => nowMs
  globalThis.Date = new Proxy(MachineDate, {
    construct: (target, parts: [], newTarget) =>
      Reflect.construct(target, parts.length === 0 ? [nowMs] : parts, newTarget) as Date,
    apply: () => new MachineDate(nowMs).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
  })
  if (holdsElapsed) {
    const machineElapsed = performance.now.bind(performance)
    performance.now = () => nowMs - startMs
    process.hrtime.bigint = () => BigInt(nowMs - startMs) * 1_000_000n
    // To stop takes time: connections are closed after some of it.
    process.once('SIGTERM', () => {
      const [stoodAt, from] = [performance.now(), machineElapsed()]
      performance.now = () => stoodAt + machineElapsed() - from
    })
  }
  process.on('message', (wish: HeldTime) => {
    nowMs = wish.standsAtMs
    if (wish.drawsFrom !== undefined) draws?.startFrom(wish.drawsFrom)
    process.send?.(wish)
  })
  // The gateway ends when it is done, whether or not its clock could still be moved.
  process.channel?.unref()
}

/**
 * Once the file is there, the thread answers the settlement that it has next and then nothing more: what was settled stays in
 * the journal until the process is killed.
 */
function freezeBehindSettlement(file: string): void {
  const { setTimeout: machineTimeout } = globalThis
  const timeout = (done: () => void, ms?: number) => {
    if (ms === FOLD_AFTER_MS && existsSync(file)) {
      setImmediate(() => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
    }
    return machineTimeout(done, ms)
  }
  globalThis.setTimeout = Object.assign(timeout, machineTimeout)
}

const FOLD_AFTER_MS = 100

/**
 * Everything that the sources draw by: bytes of `node:crypto`, and `Math.random`. Where nothing takes any time, also what
 * packages draw by Web Crypto: elsewhere that stays by chance, so that what is signed in anew gets a session of its own.
 */
function drawFrom(text: string): { startFrom(text: string): void } {
  let bytes = streamOf(text)
  // Packages draw for themselves and timers for their pauses: neither moves what the sources draw for ids and secrets.
  let ofPackages = streamOf(`${text} of packages`)
  const chances: Draw = holdsElapsed ? streamOf(`${text} of chances`) : (count) => bytes(count)
  const randomBytes = (count: number, done?: (error: Error | null, bytes: Buffer) => void): Buffer => {
    const drawn = bytes(count)
    done?.(null, drawn)
    return drawn
  }
  let pool: Buffer | null = null
  const randomFillSync = <View extends NodeJS.ArrayBufferView>(view: View): View => {
    if (!holdsElapsed || view.byteLength < POOL_BYTES) return fillFrom(bytes, view)
    pool = Buffer.from(view.buffer, view.byteOffset, view.byteLength)
    fillAlike(pool, bytes)
    return view
  }
  Object.assign(crypto, { randomBytes, randomFillSync })
  syncBuiltinESMExports()
  const getRandomValues = <View extends NodeJS.ArrayBufferView>(view: View): View => fillFrom(ofPackages, view)
  if (holdsElapsed) Object.defineProperty(globalThis.crypto, 'getRandomValues', { value: getRandomValues })
  Math.random = () => chances(6).readUIntBE(0, 6) / 2 ** 48
  return {
    startFrom(next) {
      bytes = streamOf(next)
      ofPackages = streamOf(`${next} of packages`)
      if (pool !== null) fillAlike(pool, bytes)
    },
  }
}

/** The least size of the pool that ids are drawn from, see `core/ids.ts`. */
const POOL_BYTES = 4_096
const ID_BYTES = 10

/** Fills the pool with the same bytes for each id, whose other digits differ: so it does not matter how many timers took. */
function fillAlike(pool: Buffer, draw: Draw): void {
  pool.fill(draw(ID_BYTES))
}

type Draw = (count: number) => Buffer

function streamOf(text: string): Draw {
  const key = crypto.createHash('sha256').update(text).digest()
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  return (count) => stream.update(Buffer.alloc(count))
}

function fillFrom<View extends NodeJS.ArrayBufferView>(draw: Draw, view: View): View {
  Buffer.from(view.buffer, view.byteOffset, view.byteLength).set(draw(view.byteLength))
  return view
}
