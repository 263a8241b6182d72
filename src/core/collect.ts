import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects garbage of this thread, as V8's `gc` is asked to. The flag belongs to the whole process, so it stays set: taken back by one
 * thread, it would be gone for another that is about to read `gc`. The global object of a context that is there already does not get it.
 */
export function collect(how: object): void {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('globalThis.gc')
  if (typeof gc === 'function') gc(how)
}

/** Collects what is young, bodies included. Keeps all code. */
export function collectYoung(): void {
  collect({ type: 'minor' })
}

/**
 * The first collection of a quiet spell takes what is young. With the next ones V8 sees that hardly anything is allocated
 * any more and gives up the room for young objects, 50 MB after a usual load: it looks at the last 5 s and at the spell
 * before, so that the second may come too early by a moment.
 */
export const COLLECTIONS_OF_A_SPELL = 3
