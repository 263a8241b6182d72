import type { ClientResponse } from '../client-connection.ts'

/**
 * Calls `then` once the response is over: all of it was sent, or its client left; at once where that has happened. A client
 * may leave while its key is looked up, and its `close` has passed by then.
 */
export function onceClosed(response: ClientResponse, then: () => void): void {
  if (response.destroyed) then()
  else response.once('close', then)
}
