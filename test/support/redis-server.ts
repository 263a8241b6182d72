import { randomBytes } from 'node:crypto'
import { findOrInstall } from './installed-tool.ts'
import { freePort, keepProcess, newDirectory, type KeptProcess } from './kept-process.ts'

const READY_TIMEOUT_MS = 30_000

/** Where a server is started again: its clients find it there. */
export interface RedisPlace {
  readonly port: number
  readonly password: string
}

/**
 * Starts a Redis server of its own, on a free loopback port unless a place is given, without any file: what it holds ends with
 * it. `more`: settings as in its file.
 */
export async function startRedisServer(
  at?: RedisPlace,
  more: Readonly<Record<string, string>> = {},
): Promise<KeptProcess & { readonly url: string; readonly at: RedisPlace }> {
  const command = await findOrInstall('redis-server')
  const directory = await newDirectory('redis')
  const { password, port } = at ?? { password: randomBytes(16).toString('hex'), port: await freePort() }
  const settings = { bind: '127.0.0.1', port: String(port), dir: directory, save: '', appendonly: 'no', ...more }
  const kept = await keepProcess(
    {
      directory,
      steps: [
        {
          command,
          args: Object.entries({ ...settings, requirepass: password }).flatMap(([name, value]) => [`--${name}`, value]),
        },
      ],
      stopSignal: 'SIGTERM',
    },
    { ready: /ready to accept connections/i, readyTimeoutMs: READY_TIMEOUT_MS },
  )
  return { url: `redis://:${password}@127.0.0.1:${port}`, at: { port, password }, stop: kept.stop }
}
