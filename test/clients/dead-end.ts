import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A web proxy on this machine that refuses everything, and remembers who was asked for. */
export async function startDeadEnd(): Promise<{ url: string; asked: string[]; close(): void }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(403).end()
  })
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '')
    // The client may be gone before it hears of it.
    socket.on('error', () => {})
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
