import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** The package of the command line for people, as it was built with this server; the same from sources as from the bundle. */
const PACKAGE = new URL('../../../dist/client/client.tgz', import.meta.url)

/**
 * Answers GET and HEAD of `/client.tgz`, which `npx -y ORIGIN/client.tgz login ORIGIN` installs: it always fits this gateway. The
 * file is read for each, as few ask for it.
 */
export async function answerClientPackage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const bytes = await readFile(PACKAGE).catch(() => null)
  response.setHeader('cache-control', 'no-cache')
  if (bytes === null) {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' })
    response.end('This server was started without its client package: run "npm run build -- client".\n')
    return
  }
  response.writeHead(200, { 'content-type': 'application/gzip', 'content-length': String(bytes.length) })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}
