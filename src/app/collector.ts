import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Bodies lie outside V8's heap. By default every 30 MB of them cause a full collection, however few of them are alive:
 * half of the CPU that a 200 KB request costs. So their limit is made to grow with what is alive, as the heap's does.
 * To be called before traffic comes.
 */
export function tuneCollector(): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit')
  setFlagsFromString('--external-memory-max-growing-factor=4')
}

/**
 * Gives back what only the start needed (sources, their syntax trees, schemas): about 20 MB that V8 would keep, since an
 * idle process collects no garbage. Takes some 30 ms, so it is called when the gateway is ready and nobody waits.
 */
export function releaseStartUpMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof collect === 'function') collect({ type: 'major', flavor: 'last-resort' })
}
