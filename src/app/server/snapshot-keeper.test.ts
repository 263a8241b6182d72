import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { plainUpstream, upstreamInUse } from '../../../test/support/saved-upstream.ts'
import type { Fault } from '../../core/faults.ts'
import type { Upstream } from '../../routing/catalog.ts'
import type { UpstreamClient } from '../../upstreams/upstream-client.ts'
import { whyUnreachable } from '../../upstreams/why-unreachable.ts'

/** The client that requests to this upstream are given, as it is stored without any time of its own. */
async function clientOf(over: Partial<Upstream>): Promise<UpstreamClient> {
  const client = (await upstreamInUse(plainUpstream(over))).pool[0]?.client
  if (client === undefined) throw new Error('it has one credential')
  return client
}

/** Takes connections, and never speaks TLS on them. */
async function silentAddress(): Promise<string> {
  const server = createServer((socket) => void socket.on('error', () => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.for([
  ['10 s, where it names no other time', null, 10_000],
  ['its own time', 3_000, 3_000],
] as const)(
  'an upstream has %s to connect in, and one that is late is named as not connected',
  async ([, own, limit]) => {
    const client = await clientOf({ baseUrl: await silentAddress(), connectTimeoutMs: own })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const failures: Fault[] = []
    const exchange = client.send(
      { method: 'GET', path: '/models', headers: {}, body: [] },
      { onHead() {}, onData() {}, onEnd() {}, onFailure: (fault) => void failures.push(fault) },
    )
    // Connections are opened at the end of a turn.
    await turns()
    vi.advanceTimersByTime(limit - 1)
    await turns()
    expect(failures).toEqual([])
    vi.advanceTimersByTime(1)
    await turns()
    const [fault = expect.unreachable('nothing failed')] = failures
    expect(fault).toMatchObject({ code: 'upstream_timeout', cause: { code: 'UPSTREAM_CONNECT_TIMEOUT' } })
    expect(whyUnreachable(fault.cause)).toBe('No connection could be made in time.')
    expect(exchange.isSent).toBe(false)
  },
)

async function turns(): Promise<void> {
  for (let left = 10; left > 0; left--) await new Promise((resolve) => setImmediate(resolve))
}
