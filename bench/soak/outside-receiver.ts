/** A collector and a webhook in one: takes what a gateway sends of itself, and counts it. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OutsideReceiver {
  readonly port: number
  /** Deliveries by their path. */
  readonly received: ReadonlyMap<string, number>
  close(): void
}

/** Listens on the loopback address. */
export async function startOutsideReceiver(): Promise<OutsideReceiver> {
  const received = new Map<string, number>()
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    received.set(path, (received.get(path) ?? 0) + 1)
    request.resume()
    request.once('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    received,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
