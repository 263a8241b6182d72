/** An upstream that puts into its answers what callers must not see, or must not be made to do. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HostileUpstream {
  readonly url: string
  close(): Promise<void>
}

/** The credential that it was called with stands in each field of its errors; answers that are whole claim to be a page. */
export async function startHostileUpstream(): Promise<HostileUpstream> {
  const server = createServer((request, response) => {
    const credential = (request.headers.authorization ?? '').replace('Bearer ', '')
    request.resume().once('end', () => {
      if (request.url?.includes('/embeddings') === true) {
        response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'session=theirs', 'x-powered-by': 'them' })
        const usage = { prompt_tokens: 2, total_tokens: 2 }
        response.end(JSON.stringify({ object: 'list', data: [], model: '<script>alert(1)</script>', usage }))
        return
      }
      const error = { message: `Key ${credential} is wrong`, type: credential, code: credential, param: credential }
      response.writeHead(400, { 'content-type': 'application/json', 'x-debug': credential })
      response.end(JSON.stringify({ error }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
