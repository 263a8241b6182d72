import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** A mail server that speaks as much SMTP (RFC 5321, RFC 4954) as a sender needs, on a real socket, without TLS. */
export interface MailServerUnderTest {
  readonly port: number
  readonly mails: readonly ReceivedMail[]
  /** Every line that a sender said outside of mails. */
  readonly said: readonly string[]
  /** What is answered from now on to commands that begin with `command`, such as `RCPT TO`; null: nothing at all. */
  reply(command: string, line: string | null): void
  close(): Promise<void>
}

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** As it came, with dots undone and line ends as `\n`. */
  readonly text: string
}

export async function startMailServer(): Promise<MailServerUnderTest> {
  const mails: ReceivedMail[] = []
  const said: string[] = []
  const replies = new Map<string, string | null>(Object.entries(REPLIES))
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    converse(socket, { mails, said, replies })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    mails,
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

function converse(socket: Socket, { mails, said, replies }: Desk): void {
  let [from, to, text, rest] = ['', [] as string[], null as string[] | null, '']
  const reply = (command: string) => {
    const line = replies.get(command)
    if (line != null) socket.write(`${line}\r\n`)
    return line?.startsWith('2') === true || line?.startsWith('3') === true
  }
  const hearMail = (line: string, lines: string[]) => {
    if (line !== '.') return void lines.push(line.replace(/^\.\./, '.'))
    text = null
    if (reply('.')) mails.push({ from, to, text: lines.join('\n') })
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
  }
  reply('greeting')
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString()).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) hear(line)
  })
}
