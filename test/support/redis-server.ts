import { randomBytes } from 'node:crypto'
import { findOrInstall } from './installed-tool.ts'
import { freePort, keepProcess, newDirectory, type KeptProcess } from './kept-process.ts'

const READY_TIMEOUT_MS = 30_000

/** Starts a Redis server of its own on a free loopback port, without any file: what it holds ends with it. */
export async function startRedisServer(): Promise<KeptProcess & { readonly url: string }> {
  const command = await findOrInstall('redis-server')
  const directory = await newDirectory('redis')
  const password = randomBytes(16).toString('hex')
  const port = await freePort()
  const settings = { bind: '127.0.0.1', port: String(port), dir: directory, save: '', appendonly: 'no' }
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
  return { url: `redis://:${password}@127.0.0.1:${port}`, stop: kept.stop }
}
