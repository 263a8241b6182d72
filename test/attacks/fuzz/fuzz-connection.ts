import { connect, type Socket } from 'node:net'

/** What came of one fuzzed request. */
export interface Outcome {
  /** 0: the connection was closed without an answer, or its sender left. */
  readonly status: number
  readonly fault: string | null
  readonly isOverdue: boolean
}

/** Longer than any answer here takes, on a machine as busy as it may be. */
const PATIENCE_MS = 60_000
/** So long a sender stays that has not sent all. */
const PARTIAL_MS = 20

/** Sends requests one after another over a connection that is opened again when the server closes it. */
export class FuzzConnection {
  readonly #host: string
  readonly #port: number
  #socket: Socket | null = null
  #received = ''
  #whenChanged: (() => void) | null = null

  constructor(origin: string) {
    const { hostname, port } = new URL(origin)
    this.#host = hostname
    this.#port = Number(port)
  }

  /** Rejects when no connection can be made: then the gateway is gone. */
  async send(bytes: Buffer, about: { readonly isPartial: boolean; readonly isHead: boolean }): Promise<Outcome> {
    const socket = this.#socket ?? (await this.#open())
    this.#received = ''
    socket.write(bytes)
    const outcome = await this.#outcome(about)
    if (about.isPartial || outcome.isOverdue || outcome.status === 0) this.#drop()
    return outcome
  }

  close(): void {
    this.#drop()
  }

  #drop(): void {
    this.#socket?.destroy()
    this.#socket = null
  }

  #open(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#port, this.#host, () => {
        this.#socket = socket
        resolve(socket)
      })
      socket.setNoDelay(true).setEncoding('latin1')
      socket.on('data', (text) => {
        this.#received += String(text)
        this.#whenChanged?.()
      })
      socket.on('error', reject)
      socket.on('close', () => {
        if (this.#socket === socket) this.#socket = null
        this.#whenChanged?.()
      })
    })
  }

  #outcome({ isPartial, isHead }: { isPartial: boolean; isHead: boolean }): Promise<Outcome> {
    return new Promise((resolve) => {
      const end = (isOverdue: boolean): void => {
        clearTimeout(timer)
        this.#whenChanged = null
        resolve({ status: statusOf(this.#received), fault: faultOf(this.#received), isOverdue })
      }
      const timer = setTimeout(() => end(!isPartial), isPartial ? PARTIAL_MS : PATIENCE_MS)
      this.#whenChanged = () => {
        const length = finalAnswerLength(this.#received, isHead)
        if (this.#socket === null) return end(false)
        if (length === null) return
        if (/^connection: close/im.test(headOf(this.#received))) this.#drop()
        end(false)
      }
      this.#whenChanged()
    })
  }
}

function headOf(received: string): string {
  const end = received.indexOf('\r\n\r\n')
  return end === -1 ? received : received.slice(0, end)
}

function statusOf(received: string): number {
  const last = withoutInterim(received)
  return last.startsWith('HTTP/1.1 ') ? Number(last.slice(9, 12)) : 0
}

function faultOf(received: string): string | null {
  return /^x-tollgate-fault: (\S+)/im.exec(headOf(withoutInterim(received)))?.[1] ?? null
}

/** `100 Continue` comes before the answer that counts. */
function withoutInterim(received: string): string {
  return received.startsWith('HTTP/1.1 1') && !received.startsWith('HTTP/1.1 101')
    ? received.slice(received.indexOf('\r\n\r\n') + 4)
    : received
}

/** Null while it is not whole. */
function finalAnswerLength(received: string, isHead: boolean): number | null {
  const answer = withoutInterim(received)
  const head = answer.indexOf('\r\n\r\n')
  if (head === -1 || !answer.startsWith('HTTP/')) return null
  const names = answer.slice(0, head)
  if (isHead || /^HTTP\/1\.1 (1|204|304)/.test(names)) return head + 4
  const length = /^content-length: (\d+)/im.exec(names)?.[1]
  if (length !== undefined) return answer.length - head - 4 >= Number(length) ? answer.length : null
  return answer.endsWith('0\r\n\r\n') ? answer.length : null
}
