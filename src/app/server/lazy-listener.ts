import type { IncomingMessage, ServerResponse } from 'node:http'

export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * A listener that is loaded with its first request: the console API's code takes a third of a second and 60 MB, which a
 * gateway whose console is never opened need not spend. A load that fails is tried again by the next request; `onError`
 * hears of it.
 */
export function lazyListener(load: () => Promise<Listener>, onError: (error: unknown) => void): Listener {
  let loading: Promise<Listener> | null = null
  return (request, response) => {
    loading ??= load()
    loading.then(
      (listener) => listener(request, response),
      (error: unknown) => {
        loading = null
        onError(error)
        response.writeHead(503, { 'retry-after': '2', 'cache-control': 'no-store' }).end()
      },
    )
  }
}
