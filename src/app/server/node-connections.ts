import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionCounts } from './front/take-connections.ts'

/** One connection: its answers that are not over, in the order of their requests, and since when there is none. */
interface Use {
  readonly answers: ServerResponse[]
  idleSince: number
}

/**
 * The connections that Node's own server reads, and how they come to their end once they are to be closed: each answer whose
 * head is not written yet says that it is the last one.
 */
export class NodeConnections {
  readonly #uses = new Map<Socket, Use>()
  readonly #elapsed: () => number
  #isClosing = false

  /** `elapsed`: the clock's. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed
  }

  /** The server has it from now on. */
  add(socket: Socket): void {
    this.#uses.set(socket, { answers: [], idleSince: this.#elapsed() })
    socket.once('close', () => this.#uses.delete(socket))
  }

  /**
   * Called with each request, before anything is done for it. False: it came behind an answer that closes the connection,
   * so its own answer would never arrive, and its client sends it again elsewhere. It must not be carried out.
   */
  begin({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const use = this.#uses.get(socket)
    if (use === undefined) return true
    const before = use.answers.at(-1)
    if (socket.writableEnded || (before?.headersSent === true && !before.shouldKeepAlive)) return false
    if (this.#isClosing) {
      // The one before has a follower now.
      if (before?.headersSent === false) before.shouldKeepAlive = true
      response.shouldKeepAlive = false
    }
    use.answers.push(response)
    response.once('close', () => {
      use.answers.splice(use.answers.indexOf(response), 1)
      use.idleSince = this.#elapsed()
    })
    return true
  }

  /** Makes the answers from now on the last ones of their connections. */
  announceClose(): void {
    this.#isClosing = true
    for (const { answers } of this.#uses.values()) {
      const last = answers.at(-1)
      if (last?.headersSent === false) last.shouldKeepAlive = false
    }
  }

  /** Closes those on which nothing was under way after `since`. Returns what is left. */
  closeIdle(since: number): ConnectionCounts {
    let [waiting, busy] = [0, 0]
    for (const [socket, { answers, idleSince }] of this.#uses) {
      if (answers.length > 0) busy += 1
      else if (socket.writableEnded) continue
      else if (idleSince > since) waiting += 1
      else socket.end()
    }
    return { waiting, busy }
  }
}
