/** Real proxies on this machine: HTTP's CONNECT, with or without TLS, and SOCKS 5. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { CERTIFICATE, KEY } from './localhost-certificate.ts'

export interface LocalProxy {
  /** The URL, with the login. */
  readonly url: string
  /** `host:port` of each way that was made. */
  readonly asked: string[]
  close(): Promise<void>
}

export interface ProxyOptions {
  readonly kind: 'http' | 'https' | 'socks5'
  /** `user:password`; without it none is wanted. */
  readonly login?: string
  /** What the URL has instead of the right login. */
  readonly says?: string
  /** Nothing is ever answered. */
  readonly isSilent?: boolean
  /** What one over HTTP answers to every CONNECT instead, as `403 Forbidden`, and SOCKS 5 as a code of its replies. */
  readonly answers?: string | number
}

export async function localProxy(options: ProxyOptions): Promise<LocalProxy> {
  const { kind, login, says = login, isSilent = false, answers } = options
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server =
    kind === 'socks5'
      ? socksServer(asked, { login, isSilent, answers })
      : httpServer(asked, { kind, login, isSilent, answers })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `${kind}://${says === undefined ? '' : `${says}@`}localhost:${port}`,
    asked,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Serving {
  readonly login: string | undefined
  readonly isSilent: boolean
  readonly answers: string | number | undefined
}

function httpServer(asked: string[], { kind, login, isSilent, answers }: Serving & { kind: 'http' | 'https' }): Server {
  const server = kind === 'http' ? createServer() : createSecureServer({ cert: CERTIFICATE, key: KEY })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    if (isSilent) return
    if (answers !== undefined) return void socket.end(`HTTP/1.1 ${answers}\r\ncontent-length: 0\r\n\r\n`)
    const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`
    if (request.headers['proxy-authorization'] !== wanted) {
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n')
    }
    asked.push(request.url ?? '')
    join(socket, request.url ?? '', () => socket.write('HTTP/1.1 200 Connection established\r\nvia: a test\r\n\r\n'))
  })
  return server
}

function join(socket: Socket, to: string, established: () => void): void {
  const at = to.lastIndexOf(':')
  const way = connect(Number(to.slice(at + 1)), to.slice(0, at).replace(/^\[|\]$/g, ''))
  way.on('error', () => socket.destroy())
  socket.on('error', () => way.destroy())
  way.once('connect', () => {
    established()
    socket.pipe(way).pipe(socket)
  })
}

function socksServer(asked: string[], { login, isSilent, answers }: Serving): Server {
  return createTcpServer((socket) => {
    let state: 'greeting' | 'login' | 'request' = 'greeting'
    socket.on('error', () => {})
    const take = (bytes: Buffer): void => {
      if (isSilent) return
      if (state === 'greeting') {
        const wanted = login === undefined ? 0 : 2
        const isOffered = bytes.subarray(2).includes(wanted)
        // In two pieces, as a network may deliver it.
        socket.write(Buffer.from([5]))
        setImmediate(() => socket.write(Buffer.from([isOffered ? wanted : 255])))
        state = login === undefined ? 'request' : 'login'
      } else if (state === 'login') {
        const user = bytes.subarray(2, 2 + (bytes[1] ?? 0)).toString()
        const password = bytes.subarray(3 + (bytes[1] ?? 0)).toString()
        socket.write(Buffer.from([1, `${user}:${password}` === login ? 0 : 1]))
        state = 'request'
      } else {
        if (typeof answers === 'number') return void socket.end(Buffer.from([5, answers, 0, 1, 0, 0, 0, 0, 0, 0]))
        socket.off('data', take)
        const isName = bytes[3] === 3
        const end = isName ? 5 + (bytes[4] ?? 0) : 8
        const host = isName ? bytes.subarray(5, end).toString() : bytes.subarray(4, end).join('.')
        const to = `${host}:${bytes.readUInt16BE(end)}`
        asked.push(to)
        join(socket, to, () => {
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
        })
      }
    }
    socket.on('data', take)
  })
}
