import type { AddressInfo, Server } from 'node:net'
import { CONNECTION_BACKLOG } from '../../core/limits.ts'
import type { Settings } from '../installation/environment.ts'
import { listeningOrigin } from './gateway-origin.ts'

/**
 * Resolves with the port and the origin, once it listens. Rejects when the address cannot be taken. `isShared`: other
 * threads of this process listen there too, and the kernel spreads connections over all.
 */
export function listen(
  server: Server,
  settings: Pick<Settings, 'host' | 'port'>,
  isShared = false,
): Promise<{ readonly port: number; readonly origin: string }> {
  const { host } = settings
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: settings.port, host, backlog: CONNECTION_BACKLOG, reusePort: isShared }, () => {
      server.off('error', reject)
      const { port } = server.address() as AddressInfo
      resolve({ port, origin: listeningOrigin(host, port) })
    })
  })
}
