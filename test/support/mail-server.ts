import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer as createSecureServer, TLSSocket } from 'node:tls'
import { CERTIFICATE, KEY } from './localhost-certificate.ts'

/** How TLS begins: never, with the first byte, or by STARTTLS. The certificate is one of its own for `localhost`. */
export type MailTls = 'none' | 'first' | 'offered'

/** A mail server that speaks as much SMTP (RFC 5321, RFC 4954, RFC 3207) as a sender needs, on a real socket. */
export interface MailServerUnderTest {
  readonly port: number
  readonly mails: readonly ReceivedMail[]
  /** Connections that came, with those on which nothing was said. */
  connections(): number
  /** Every line that a sender said outside of mails. */
  readonly said: readonly string[]
  /** What is answered from now on to commands that begin with `command`, such as `RCPT TO`; null: nothing at all. */
  reply(command: string, line: string | null): void
  close(): Promise<void>
}

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** The text that came, with dots undone and line ends as `\n`. */
  readonly text: string
  readonly isEncrypted: boolean
}

export async function startMailServer({ tls = 'none' }: { readonly tls?: MailTls } = {}): Promise<MailServerUnderTest> {
  const mails: ReceivedMail[] = []
  const said: string[] = []
  const replies = new Map<string, string | null>(Object.entries(REPLIES))
  if (tls === 'offered') replies.set('EHLO', '250-mail.test\r\n250-STARTTLS\r\n250 AUTH PLAIN')
  const sockets = new Set<Socket>()
  let connections = 0
  const talk = (socket: Socket) => {
    socket.on('error', () => {})
    converse(socket, { mails, said, replies })
  }
  const server: Server =
    tls === 'first' ? createSecureServer({ cert: CERTIFICATE, key: KEY }, talk) : createServer(talk)
  server.on('tlsClientError', () => {})
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    connections: () => connections,
    said,
    reply: (command, line) => void replies.set(command, line),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

const REPLIES = {
  greeting: '220 mail.test ESMTP',
  EHLO: '250-mail.test\r\n250 AUTH PLAIN',
  STARTTLS: '220 go on in TLS',
  AUTH: '235 welcome',
  'MAIL FROM': '250 ok',
  'RCPT TO': '250 ok',
  DATA: '354 go on',
  '.': '250 taken',
  QUIT: '221 bye',
  'anything else': '502 not known here',
}

interface Desk {
  readonly mails: ReceivedMail[]
  readonly said: string[]
  readonly replies: ReadonlyMap<string, string | null>
}

function converse(socket: Socket, desk: Desk, isGreeted = false): void {
  const { mails, said, replies } = desk
  let [from, to, text, rest] = ['', [] as string[], null as string[] | null, '']
  const reply = (command: string) => {
    const line = replies.get(command)
    if (line != null) socket.write(`${line}\r\n`)
    return line?.startsWith('2') === true || line?.startsWith('3') === true
  }
  const hearMail = (line: string, lines: string[]) => {
    if (line !== '.') return void lines.push(line.replace(/^\.\./, '.'))
    text = null
    if (reply('.')) mails.push({ from, to, text: lines.join('\n'), isEncrypted: socket instanceof TLSSocket })
  }
  const hear = (line: string) => {
    if (text !== null) return hearMail(line, text)
    said.push(line)
    const command = [...replies.keys()].find((each) => line.toUpperCase().startsWith(each)) ?? 'anything else'
    const address = /<([^>]*)>/.exec(line)?.[1] ?? ''
    if (!reply(command)) return
    if (command === 'MAIL FROM') [from, to] = [address, []]
    if (command === 'RCPT TO') to.push(address)
    if (command === 'DATA') text = []
    if (command === 'QUIT') socket.end()
    if (command === 'STARTTLS') turnToTls()
  }
  const turnToTls = () => {
    socket.off('data', read)
    const secured = new TLSSocket(socket, { isServer: true, cert: CERTIFICATE, key: KEY })
    secured.on('error', () => {})
    converse(secured, desk, true)
  }
  const read = (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) hear(line)
  }
  if (!isGreeted) reply('greeting')
  socket.on('data', read)
}
