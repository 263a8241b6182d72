/** One keep-alive connection that has one request under way at a time. */
import { connect, type Socket } from 'node:net'
import { ResponseReader, type Answer } from './response-reader.ts'

const READ_BUFFER_BYTES = 65_536

export interface ConnectionEvents {
  /** Bytes of an answer, before they are read. They may be overwritten afterwards. */
  arrived(bytes: Buffer): void
  /** A whole answer; `sinceMs` is what `send` was given. */
  answered(connection: Connection, answer: Answer, sinceMs: number): void
  /** The request under way will get no answer. The connection cannot be used any more. */
  failed(connection: Connection, reason: string): void
  /** Closed by the server while nothing was under way. */
  closedIdle(connection: Connection): void
}

export class Connection {
  /** How often the socket had bytes. */
  reads = 0
  readonly #socket: Socket
  readonly #reader = new ResponseReader()
  readonly #events: ConnectionEvents
  #sinceMs = 0
  #busy = false
  #over = false

  private constructor(port: number, events: ConnectionEvents) {
    this.#events = events
    this.#socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(READ_BUFFER_BYTES),
        callback: (count, buffer) => {
          this.#receive(Buffer.from(buffer.buffer, buffer.byteOffset, count))
          return true
        },
      },
    })
    this.#socket.on('error', (error) => this.#end(error.message))
    this.#socket.on('close', () => this.#end('the server closed the connection'))
  }

  /** Opens a connection to `port` of this machine. Rejects when the port is closed. */
  static async open(port: number, events: ConnectionEvents): Promise<Connection> {
    const connection = new Connection(port, events)
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    connection.#socket.once('connect', () => resolve(connection))
    connection.#socket.once('error', reject)
    return promise
  }

  /** Sends a whole request. Only when no other is under way. */
  send(request: Buffer, sinceMs: number): void {
    this.#sinceMs = sinceMs
    this.#busy = true
    this.#socket.write(request)
  }

  /** Closes without a word to `events`. */
  close(): void {
    this.#over = true
    this.#socket.destroy()
  }

  #receive(bytes: Buffer): void {
    this.reads++
    this.#events.arrived(bytes)
    try {
      const answer = this.#reader.read(bytes)
      if (answer === null) return
      this.#busy = false
      this.#events.answered(this, answer, this.#sinceMs)
    } catch (error) {
      this.#busy = true
      this.#end(error instanceof Error ? error.message : String(error))
    }
  }

  #end(reason: string): void {
    if (this.#over) return
    this.close()
    if (this.#busy) this.#events.failed(this, `${reason}, ${this.#reader.idle ? 'before the answer' : 'in the answer'}`)
    else this.#events.closedIdle(this)
  }
}
