import { UnknownTryLog, type UnknownTry } from '../../access/unknown-tries.ts'

interface Noted {
  readonly address: string
  readonly tried: UnknownTry
}

/**
 * The refused requests without a key, of all threads of this process: whichever refused one, the thread that answers the
 * console knows it. `threads`: how many carry requests. With several processes each knows its own.
 */
export function unknownTries(threads: number): UnknownTryLog {
  if (threads === 1) return new UnknownTryLog()
  const others = new BroadcastChannel('refused requests without a key')
  const log = new UnknownTryLog((address, tried) => others.postMessage({ address, tried } satisfies Noted))
  others.addEventListener('message', ({ data }: MessageEvent) => {
    const { address, tried } = data as Noted
    log.take(address, tried)
  })
  // It must not keep the process from ending.
  ;(others as unknown as { unref(): void }).unref()
  return log
}
