import { setTimeout as wait } from 'node:timers/promises'
import { CollectedBytes } from '../../core/collected-bytes.ts'
import type { UpstreamClient, UpstreamExchange } from '../../upstreams/upstream-client.ts'

/**
 * Sends one GET and reads its answer as a whole, within `limitMs` from the first to the last byte; what is beyond `limitBytes`
 * is not read. Redirects are not followed.
 */
export async function askOnce(
  client: UpstreamClient,
  { path, headers }: { readonly path: string; readonly headers: Readonly<Record<string, string>> },
  { limitMs, limitBytes }: OnceBounds,
): Promise<OnceAnswer> {
  const over = new AbortController()
  let exchange: UpstreamExchange | null = null
  const answered = new Promise<OnceAnswer>((resolve) => {
    const bytes = new CollectedBytes()
    let status = 0
    const done = (isCut: boolean) => resolve({ kind: 'answered', status, body: bytes.whole(), isCut })
    exchange = client.send(
      { method: 'GET', path, headers: { accept: 'application/json', ...headers }, body: [] },
      {
        onHead: (received) => {
          status = received
        },
        onData: (chunk) => {
          if (!bytes.add(chunk, limitBytes)) done(true)
        },
        onEnd: () => done(false),
        onFailure: (fault) => resolve({ kind: 'failed', cause: fault.cause }),
      },
    )
  })
  const late = wait(limitMs, { kind: 'late' } as const, { signal: over.signal }).catch(
    () => ({ kind: 'late' }) as const,
  )
  try {
    return await Promise.race([answered, late])
  } finally {
    over.abort()
    abort(exchange)
  }
}

export interface OnceBounds {
  readonly limitMs: number
  readonly limitBytes: number
}

function abort(exchange: UpstreamExchange | null): void {
  exchange?.abort()
}

/** `isCut`: there was more than was to be read. */
export type OnceAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Buffer; readonly isCut: boolean }
  | { readonly kind: 'failed'; readonly cause: unknown }
  | { readonly kind: 'late' }
