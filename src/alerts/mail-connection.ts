import { connect, isIPv4, type Socket } from 'node:net'
import { connect as connectSecurely, type ConnectionOptions, getCACertificates } from 'node:tls'
import type { MailServer, MailSettings } from './mail-address.ts'
import { OPENS_LATE, SAYS_NOTHING, SPEAKS_TLS } from './mail-failure.ts'

/** How long a mail server may take. */
export interface MailLimits {
  /** The time until there is a connection. */
  readonly openedMs: number
  /** The time from then until it greets: some look names up before, or let clients wait on purpose. */
  readonly greetedMs: number
  /** The time from then until it is asked whether it waits for TLS. */
  readonly quietMs: number
  /** The time for the whole conversation. */
  readonly doneMs: number
}

export const MAIL_LIMITS: MailLimits = { openedMs: 10_000, greetedMs: 15_000, quietMs: 5_000, doneMs: 30_000 }

interface Dialling {
  readonly limits: MailLimits
  readonly signal: AbortSignal
}

/**
 * A connection to the mail server on which nothing was read yet; with `smtps://` one that speaks TLS. It is paused, and ends
 * with an error of `mail-failure.ts` where the server says nothing because it waits for TLS. Rejects with the error of the
 * socket.
 */
export function dialMailServer(
  settings: Pick<MailSettings, 'server' | 'authorities'>,
  dialling: Dialling,
): Promise<Socket> {
  const { server } = settings
  const { limits, signal } = dialling
  return new Promise((resolve, reject) => {
    const socket = server.isSecure
      ? connectSecurely({ ...placeOf(server), ...tlsOptions(settings, { isHere: false }) })
      : connect(placeOf(server))
    let isConnected = false
    const timer = setTimeout(() => end(socket, isConnected ? SAYS_NOTHING : OPENS_LATE), limits.openedMs)
    const stop = () => void socket.destroy()
    signal.addEventListener('abort', stop, { once: true })
    socket.once('connect', () => (isConnected = true))
    // It stays, so that no error is without a listener before the conversation has its own.
    socket.on('error', reject)
    socket.once('close', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      reject(coded('ECONNECTION'))
    })
    socket.once(server.isSecure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer)
      socket.pause()
      if (!server.isSecure) endWhereTlsIsWaitedFor(socket, server, dialling)
      resolve(socket)
    })
  })
}

/**
 * How the certificate of the mail server is checked. `isHere`: it is on this machine, and was greeted without TLS. The same goes
 * out without TLS to a server here that offers none, and Debian's Postfix has a certificate of its own.
 */
export function tlsOptions(
  { server, authorities }: Pick<MailSettings, 'server' | 'authorities'>,
  { isHere }: { readonly isHere: boolean },
): ConnectionOptions {
  if (isHere && server.credentials === null) return { rejectUnauthorized: false }
  return authorities === undefined ? {} : { ca: [...getCACertificates('default'), authorities] }
}

/** Whether a name or an address is of this machine alone. */
export function isThisMachine(host: string): boolean {
  const address = host.replace(/^::ffff:/, '')
  return address === 'localhost' || address === '::1' || (isIPv4(address) && address.startsWith('127.'))
}

/** Where there are several addresses, each but the last gets this long. */
const ADDRESS_MS = 2_500

function placeOf({ host, port }: MailServer) {
  return { host, port, autoSelectFamilyAttemptTimeout: ADDRESS_MS }
}

/**
 * A server that speaks TLS from the first byte waits for the client, as the client waits for its greeting. Only a server that
 * has said nothing for a while is asked, on a connection of its own: some turn away who speaks before they greet.
 */
function endWhereTlsIsWaitedFor(socket: Socket, server: MailServer, { limits, signal }: Dialling): void {
  let isHeard = false
  let timer: NodeJS.Timeout | undefined
  const ask = () => {
    if (isHeard || socket.destroyed) return
    onceTlsIsSpoken(server, { withinMs: limits.openedMs, signal }, () => {
      if (!isHeard) end(socket, SPEAKS_TLS)
    })
  }
  // It is paused until the conversation begins to listen. What has come by the end of the time is read before it is over.
  socket.once('resume', () => {
    timer = setTimeout(() => setImmediate(ask), limits.quietMs)
  })
  socket.once('data', () => {
    isHeard = true
    clearTimeout(timer)
  })
  socket.once('close', () => clearTimeout(timer))
}

/** Asks on a connection of its own, on which nothing else is said. `spoken` is not called where the server speaks no TLS. */
function onceTlsIsSpoken(
  server: MailServer,
  { withinMs, signal }: { readonly withinMs: number; readonly signal: AbortSignal },
  spoken: () => void,
): void {
  // It does not matter whose certificate it is.
  const socket = connectSecurely({ ...placeOf(server), rejectUnauthorized: false })
  const stop = () => void socket.destroy()
  const timer = setTimeout(stop, withinMs)
  signal.addEventListener('abort', stop, { once: true })
  socket.on('error', stop)
  socket.once('close', () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  })
  socket.once('secureConnect', () => {
    stop()
    spoken()
  })
}

function end(socket: Socket, code: string): void {
  socket.destroy(coded(code))
}

function coded(code: string): Error {
  return Object.assign(new Error(code), { code })
}
