import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../../core/clock.ts'
import type { GatewayListener } from '../../../gateway/client-connection.ts'
import { FrontConnection, type FrontConnectionOptions } from './front-connection.ts'
import { answerHeads } from './front-response.ts'
import type { FrontRequestHead } from './request-head.ts'

const LOOK_MS = 5_000
/** Idle connections are closed so much later than their heads say, as Node does. */
const SPARE_MS = 1_000

/** How many connections there are on which a request may still come, and on which one is under way. */
export interface ConnectionCounts {
  readonly waiting: number
  readonly busy: number
}

/** The connections that the front has. */
export interface FrontConnections {
  /** Closes those on which nothing was under way after `since`, by the clock's `elapsed`. Returns what is left. */
  closeIdle(since: number): ConnectionCounts
}

export interface TakeOptions {
  readonly clock: Clock
  readonly listener: GatewayListener
  isServed(head: FrontRequestHead): boolean
  /** Whether connections are closed after the answers whose heads are written from now on. */
  isClosing(): boolean
  /** A connection goes over to the server. */
  onLeftToServer(socket: Socket): void
}

/**
 * Puts the front between a server of Node's and its connections: plain requests for which `isServed` go to `listener` at once,
 * and a connection with anything else goes to the server, which reads and answers it with all of its own limits. To be called
 * once, before the server listens.
 */
export function takeConnections(server: Server, to: TakeOptions): FrontConnections {
  const [nodes, ...others] = server.listeners('connection')
  if (nodes === undefined || others.length > 0) throw new Error('the server has another way to its connections')
  server.off('connection', nodes)
  const connections = new Set<FrontConnection>()
  const { keepAliveTimeout, headersTimeout, requestTimeout } = server
  const options: FrontConnectionOptions = {
    heads: answerHeads(to.clock, keepAliveTimeout),
    elapsed: () => to.clock.elapsed(),
    keepAliveMs: keepAliveTimeout + SPARE_MS,
    headersMs: headersTimeout,
    requestMs: requestTimeout,
    isClosing: to.isClosing,
    isServed: to.isServed,
    listener: to.listener,
    toNode: (socket) => {
      to.onLeftToServer(socket)
      Reflect.apply(nodes, server, [socket])
    },
    refuse: (error, socket) => void server.emit('clientError', error, socket),
    onLeft: (connection) => void connections.delete(connection),
  }
  server.on('connection', (socket: Socket) => void connections.add(new FrontConnection(socket, options)))
  const looking = setInterval(() => {
    const elapsed = to.clock.elapsed()
    for (const connection of connections) connection.look(elapsed)
  }, LOOK_MS)
  looking.unref()
  server.once('close', () => clearInterval(looking))
  return {
    closeIdle(since) {
      let [waiting, busy] = [0, 0]
      for (const connection of connections) {
        if (connection.closeIdle(since)) waiting += 1
        else if (connection.isBusy) busy += 1
      }
      return { waiting, busy }
    },
  }
}
