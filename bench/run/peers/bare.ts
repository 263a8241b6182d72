/** The floor of Node: a proxy of `node:net` that reads nothing of what it passes on. */
import { fileURLToPath } from 'node:url'
import type { Peer } from './peer.ts'

const PROGRAM = fileURLToPath(new URL('./bare-carrier.ts', import.meta.url))

export const BARE_PROXY: Peer = {
  title: 'bare',
  start: async ({ port, upstreamUrl, upstreamCredential }) => ({
    command: [process.execPath, PROGRAM],
    env: { PORT: String(port), UPSTREAM_PORT: new URL(upstreamUrl).port },
    // It changes no header either.
    authorization: `Bearer ${upstreamCredential}`,
    headers: {},
  }),
}
