/**
 * A way to a server that can be shut: what a browser sees when a gateway is down, or hangs, and is there again, and a
 * gateway of its database.
 */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Door {
  /** The server's, through this door. */
  readonly origin: string
  open(): void
  /** Connections end, and new ones at once, too. */
  shut(): void
  /** Connections stay, and nothing comes through. */
  hang(): void
}

/** Opens one, until the test ends. `behind` is where it leads to, which may change. */
export async function openDoor(behind: { readonly origin: string }): Promise<Door> {
  const sockets = new Set<Socket>()
  let state: 'open' | 'shut' | 'hung' = 'open'
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    keep(near)
    if (state === 'shut') near.destroy()
    if (state !== 'open') return
    const far = connect(Number(new URL(behind.origin).port), '127.0.0.1')
    keep(far)
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    server.close()
    endAll()
  })
  const become = (next: typeof state): void => {
    state = next
    endAll()
  }
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    open: () => become('open'),
    shut: () => become('shut'),
    hang: () => become('hung'),
  }
}
