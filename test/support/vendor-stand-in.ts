import { once } from 'node:events'
import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'

const PRELOAD = new URL('preload-stand-ins.ts', import.meta.url)

export interface VendorStandIn {
  readonly port: number
  /** Host and path of each request, oldest first. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

/**
 * A server that stands in for vendors on all their hosts: whatever path stands before an endpoint, a fake upstream answers it
 * that takes this credential alone. `lists` false: it has no list of models.
 */
export async function startVendorStandIn(credential: string, { lists = true } = {}): Promise<VendorStandIn> {
  const fake = await startFakeUpstream({ requiredCredential: credential })
  const { port: behind } = new URL(fake.url)
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { url = '', headers, method } = request
    asked.push(`${headers.host} ${url}`)
    if (!lists && method === 'GET') {
      request.resume()
      response.writeHead(404, { 'content-type': 'application/json' })
      return void response.end('{"error":{"message":"Not found","type":"not_found"}}')
    }
    if (url.startsWith('/v1beta/models') && method === 'GET') {
      // The fake has no list in Google's form.
      response.writeHead(headers['x-goog-api-key'] === credential ? 200 : 401, { 'content-type': 'application/json' })
      return void response.end('{"models":[{"name":"models/fake/echo"}]}')
    }
    const path = url.replace(/^\/.*?(?=\/(?:chat|responses|messages|models|embeddings)\b)/, '')
    const version = url.startsWith('/v1beta') ? '/v1beta' : '/v1'
    const passed = ask({ host: '127.0.0.1', port: behind, path: version + path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    request.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    async close() {
      server.closeAllConnections()
      server.close()
      await fake.close()
    },
  }
}

/** The environment of a gateway that finds these ports in place of the hosts whose names end so, or of `127.0.0.1:PORT`. */
export function withStandIns(standIns: Readonly<Record<string, number>>): Readonly<Record<string, string>> {
  return { STAND_INS: JSON.stringify(standIns), NODE_OPTIONS: `--import=${PRELOAD.href}` }
}
