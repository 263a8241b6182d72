/** A proxy between a gateway and its database, which can do to connections what networks and failovers do. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** What becomes of connections that are made from now on. */
type NewOnes = 'pass' | 'wait'

export interface DatabaseProxy {
  /** The URL of the database by way of the proxy. */
  readonly url: string
  /** Connections that are open, to the database. */
  readonly open: number
  /** How many were made since the start. */
  readonly made: number
  /** Lets open connections stay so and pass nothing on, in either direction. */
  silence(): void
  /** Lets open connections pass on what is asked, and nothing of what is answered. */
  loseAnswers(): void
  /** Ends open connections: by a reset, or as a server ends them that closes its side. */
  end(how: 'reset' | 'half-close'): void
  /** New ones are taken and nothing comes of them. */
  keepWaiting(): void
  /** New ones are refused. */
  refuse(): Promise<void>
  /** New ones lead to this database, which is another server or another name of one. */
  moveTo(url: string): void
  /** New ones pass. Those that went silent stay silent. */
  heal(): Promise<void>
  close(): Promise<void>
}

interface Pair {
  readonly client: Socket
  readonly server: Socket | null
  asks: boolean
  answers: boolean
}

export async function databaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const pairs = new Set<Pair>()
  let target = new URL(databaseUrl)
  let newOnes: NewOnes = 'pass'
  let made = 0
  let server: Server | null = null
  const take = (client: Socket): void => {
    made += 1
    client.on('error', () => {})
    if (newOnes === 'wait') return void pairs.add({ client, server: null, asks: false, answers: false })
    pairs.add(joined(client, target, (pair) => pairs.delete(pair)))
  }
  const listen = async (port: number): Promise<number> => {
    server = createServer(take).listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const unlisten = async (): Promise<void> => {
    const closing = server
    server = null
    closing?.close()
  }
  const port = await listen(0)
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    get open() {
      return pairs.size
    },
    get made() {
      return made
    },
    silence: () => pairs.forEach((pair) => Object.assign(pair, { asks: false, answers: false })),
    loseAnswers: () => pairs.forEach((pair) => Object.assign(pair, { answers: false })),
    end(how) {
      for (const { client, server: behind } of pairs) {
        if (how === 'reset') {
          client.resetAndDestroy()
          behind?.destroy()
        } else client.end()
      }
    },
    keepWaiting: () => void (newOnes = 'wait'),
    refuse: unlisten,
    moveTo: (to) => void (target = new URL(to)),
    async heal() {
      newOnes = 'pass'
      if (server === null) await listen(port)
    },
    async close() {
      await unlisten()
      for (const { client, server: behind } of pairs) {
        client.destroy()
        behind?.destroy()
      }
    },
  }
}

function joined(client: Socket, { hostname, port }: URL, onEnd: (pair: Pair) => void): Pair {
  const server = connect({ host: hostname, port: Number(port === '' ? 5432 : port), allowHalfOpen: true })
  const pair: Pair = { client, server, asks: true, answers: true }
  server.on('error', () => client.destroy())
  client.on('data', (bytes) => void (pair.asks && server.write(bytes)))
  server.on('data', (bytes) => void (pair.answers && client.write(bytes)))
  // A side that is gone is gone for both, but where the proxy is silent neither learns of it.
  client.on('close', () => {
    onEnd(pair)
    server.destroy()
  })
  server.on('close', () => void (pair.answers && client.destroy()))
  server.on('end', () => void (pair.answers && client.end()))
  return pair
}
