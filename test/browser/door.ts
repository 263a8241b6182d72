/** A way to a place that can be shut: what a browser sees when a gateway is down, or hangs, and is there again. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Place } from './place.ts'

export interface Door {
  /** The place's, through this door. */
  readonly origin: string
  open(): void
  /** Connections end, and new ones at once, too. */
  shut(): void
  /** Connections stay, and nothing comes through. */
  hang(): void
}

/** Opens one, until the test ends. */
export async function openDoor(place: Place): Promise<Door> {
  const { port } = new URL(place.origin)
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
    const far = connect(Number(port), '127.0.0.1')
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
