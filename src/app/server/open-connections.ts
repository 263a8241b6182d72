import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const LOOK_MS = 25

/**
 * The connections of a server. An answer that has ended is not yet with its client: what a slow one has not taken still
 * waits in this process, and Node's own ways of closing a server would drop it.
 */
export class OpenConnections {
  readonly #sockets = new Set<Socket>()

  /** Constructed before the server listens. */
  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  /** Resolves when nothing waits for a client any more, or when `timeoutMs` are over; returns which. */
  async emptied(timeoutMs: number): Promise<boolean> {
    const deadline = performance.now() + timeoutMs
    while (this.#isAnythingLeft()) {
      if (performance.now() >= deadline) return false
      await pause(LOOK_MS)
    }
    return true
  }

  /** Closes all of them at once. */
  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #isAnythingLeft(): boolean {
    for (const socket of this.#sockets) if (!socket.destroyed && socket.writableLength > 0) return true
    return false
  }
}
