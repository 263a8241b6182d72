import crypto, { createCipheriv } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { isMainThread } from 'node:worker_threads'

// Loaded into a gateway process before anything else (see `sample-process.ts`), so that it writes the same rows and shows the
// same pages in every run: its wall clock stands still until it is moved, and what it draws follows from a number. What only
// grows (`performance.now`) is left alone: time-outs and retries work as ever.

/** A moment to move to, or one that was reached. */
export interface HeldTime {
  readonly standsAtMs: number
}

const standsAt = process.env['SAMPLE_STANDS_AT_MS']
const seed = process.env['SAMPLE_SEED']

if (isMainThread && standsAt !== undefined) holdClock(Number(standsAt))
if (isMainThread && seed !== undefined) drawFrom(seed)

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
  process.on('message', (wish: HeldTime) => {
    nowMs = wish.standsAtMs
    process.send?.(wish)
  })
  // The gateway ends when it is done, whether or not its clock could still be moved.
  process.channel?.unref()
}

/** Everything that the sources draw by: bytes of `node:crypto`, and `Math.random`. */
function drawFrom(text: string): void {
  const key = crypto.createHash('sha256').update(text).digest()
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  const drawn = (count: number): Buffer => stream.update(Buffer.alloc(count))
  const randomBytes = (count: number, done?: (error: Error | null, bytes: Buffer) => void): Buffer => {
    const bytes = drawn(count)
    done?.(null, bytes)
    return bytes
  }
  const randomFillSync = <View extends NodeJS.ArrayBufferView>(view: View): View => {
    Buffer.from(view.buffer, view.byteOffset, view.byteLength).set(drawn(view.byteLength))
    return view
  }
  Object.assign(crypto, { randomBytes, randomFillSync })
  syncBuiltinESMExports()
  Math.random = () => drawn(6).readUIntBE(0, 6) / 2 ** 48
}
