import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'vitest'

/** A connection on which a test writes HTTP byte by byte. */
export interface RawConnection {
  readonly socket: Socket
  /** Resolves with the next whole answer that has a length or none: head and body. */
  answer(): Promise<string>
  /** Resolves when the other side sends nothing more. */
  readonly ended: Promise<unknown>
}

/** Connects to an origin. Rejects when that refuses. */
export async function rawConnection(origin: string): Promise<RawConnection> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ port: Number(port), host: hostname })
  let text = ''
  socket.on('data', (bytes) => (text += bytes.toString('latin1')))
  const ended = new Promise((resolve) => void socket.once('end', resolve).once('close', resolve))
  await once(socket, 'connect')
  socket.on('error', () => {})
  return {
    socket,
    ended,
    async answer() {
      await expect.poll(() => wholeAnswer(text)).not.toBeNull()
      const whole = wholeAnswer(text) ?? ''
      text = text.slice(whole.length)
      return whole
    },
  }
}

/** The first answer in the text; null: it is not whole yet. */
function wholeAnswer(text: string): string | null {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return null
  const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, end))?.[1] ?? 0)
  const whole = text.slice(0, end + 4 + length)
  return whole.length === end + 4 + length ? whole : null
}
