import { afterEach, expect, test } from 'vitest'
import { aBudgetAlert } from '../../test/support/budget-alert.ts'
import { CERTIFICATE } from '../../test/support/localhost-certificate.ts'
import { type MailServerUnderTest, type MailTls, startMailServer } from '../../test/support/mail-server.ts'
import { readMailServer } from './mail-address.ts'
import { MAIL_LIMITS, tlsOptions } from './mail-connection.ts'
import { mailFailureOf } from './mail-failure.ts'
import { MailCarrier } from './mail.ts'

/** How a mail server of this machine or of another behaves, and what comes of a mail to it. */
interface Manner {
  readonly says: string
  /** Where others met it: project and number. */
  readonly from?: string
  readonly tls?: MailTls
  /** What it answers, by the command. */
  readonly replies?: Readonly<Record<string, string | null>>
  /** What stands before the port. */
  readonly url?: string
  readonly authorities?: string
  readonly quietMs?: number
  readonly greetedMs?: number
  readonly outcome: 'delivered' | 'encrypted' | 'refused' | 'failed'
  readonly failure?: RegExp
}

const LOGIN = 'smtp://ada:hunter2-and-more@localhost'
const MANNERS: readonly Manner[] = [
  { says: 'plain SMTP without a login', outcome: 'delivered' },
  {
    says: 'STARTTLS with its own certificate, on this machine and without a login, as Debian sets up Postfix',
    from: 'Chocobozzz/PeerTube#373',
    tls: 'offered',
    outcome: 'encrypted',
  },
  {
    says: 'STARTTLS in the greeting of its features and none when asked, on this machine and without a login',
    tls: 'offered',
    replies: { STARTTLS: '454 4.7.0 TLS not available due to local problem' },
    outcome: 'delivered',
  },
  {
    says: 'STARTTLS with its own certificate, on this machine and with a login',
    from: 'Chocobozzz/PeerTube#4060',
    tls: 'offered',
    url: LOGIN,
    outcome: 'failed',
    failure: /certificate .* not signed by a trusted authority: .* TOLLGATE_SMTP_CA_FILE$/,
  },
  {
    says: 'the same, where its certificate is named',
    tls: 'offered',
    url: LOGIN,
    authorities: CERTIFICATE,
    outcome: 'encrypted',
  },
  {
    says: 'STARTTLS with its own certificate, under a name of this machine that leads here, as that in /etc/hosts',
    tls: 'offered',
    url: 'smtp://0.0.0.0',
    outcome: 'encrypted',
  },
  {
    says: 'STARTTLS with its own certificate, where a login is to go to another machine',
    from: 'cakephp/cakephp#7505',
    tls: 'offered',
    url: 'smtp://ada:hunter2-and-more@0.0.0.0',
    outcome: 'failed',
    failure: /not signed by a trusted authority/,
  },
  {
    says: 'a certificate for another name',
    tls: 'offered',
    url: 'smtp://ada:hunter2-and-more@127.0.0.1',
    authorities: CERTIFICATE,
    outcome: 'failed',
    failure: /^the certificate of the mail server is for another host name/,
  },
  {
    says: 'TLS from the first byte, as on port 465',
    tls: 'first',
    url: 'smtps://localhost',
    authorities: CERTIFICATE,
    outcome: 'encrypted',
  },
  {
    says: 'TLS from the first byte, with its own certificate',
    tls: 'first',
    url: 'smtps://localhost',
    outcome: 'failed',
    failure: /not signed by a trusted authority/,
  },
  {
    says: 'STARTTLS, asked for TLS from the first byte',
    from: 'Chocobozzz/PeerTube#4060',
    tls: 'offered',
    url: 'smtps://localhost',
    outcome: 'failed',
    failure: /^the mail server does not speak TLS from the first byte at this port: use smtp:\/\//,
  },
  {
    says: 'TLS from the first byte, asked in plain words',
    from: 'nodemailer/nodemailer#1470',
    tls: 'first',
    quietMs: 20,
    outcome: 'failed',
    failure: /^the mail server speaks TLS from the first byte at this port: use smtps:\/\/ there$/,
  },
  {
    says: 'nothing at all',
    from: 'nodemailer/nodemailer#441',
    replies: { greeting: null },
    quietMs: 20,
    greetedMs: 300,
    outcome: 'failed',
    failure: /^the mail server takes the connection and says nothing/,
  },
  {
    says: 'HTTP',
    from: 'nodemailer/nodemailer#638',
    replies: { greeting: 'HTTP/1.1 400 Bad Request' },
    outcome: 'failed',
    failure: /^what answers at this port is not a mail server$/,
  },
  {
    says: 'that this machine may not come in',
    replies: { greeting: '554 5.7.1 blocked, see https://example.test' },
    outcome: 'failed',
    failure: /^the mail server turns the connection away: .* \(SMTP 554\)$/,
  },
  {
    says: 'that it is too busy to greet',
    replies: { greeting: '421 4.7.0 too many connections' },
    outcome: 'failed',
    failure: /^the mail server takes the mail later: .* \(SMTP 421\)$/,
  },
  {
    says: 'that the login is wrong',
    url: LOGIN.replace('localhost', '127.0.0.1'),
    replies: { AUTH: '535 5.7.8 ada with hunter2-and-more is not known' },
    outcome: 'failed',
    failure: /^the mail server refuses the login: check the user and the password in TOLLGATE_SMTP_URL \(SMTP 535\)$/,
  },
  {
    says: 'that it cannot check logins now',
    url: LOGIN.replace('localhost', '127.0.0.1'),
    replies: { AUTH: '454 4.7.0 temporary authentication failure' },
    outcome: 'failed',
    failure: /^the mail server cannot check the login right now \(SMTP 454\)$/,
  },
  {
    says: 'that it wants a login',
    replies: { 'MAIL FROM': '530 5.7.0 authentication required' },
    outcome: 'failed',
    failure: /^the mail server wants a login: give TOLLGATE_SMTP_URL a user and a password \(SMTP 530\)$/,
  },
  {
    says: 'no TLS, where a login is to go to another machine',
    from: 'docker-mailserver/docker-mailserver#3102',
    url: 'smtp://ada:hunter2-and-more@0.0.0.0',
    replies: { STARTTLS: '502 5.5.1 not implemented' },
    outcome: 'failed',
    failure: /^the mail server does not turn to TLS, without which the login is not sent: .* \(SMTP 502\)$/,
  },
  {
    says: 'that it does not know the recipient',
    replies: { 'RCPT TO': '550 5.1.1 <ada@example.test> no such mailbox' },
    outcome: 'refused',
    failure: /^the mail server refuses the recipient \(SMTP 550\)$/,
  },
  {
    says: 'that it takes the mail later, as greylisting does',
    replies: { 'RCPT TO': '450 4.2.0 <ada@example.test> greylisted, try again in 300 s' },
    outcome: 'failed',
    failure: /^the mail server takes the mail later: .*greylisting.* \(SMTP 450\)$/,
  },
  {
    says: 'that it does not know the sender',
    replies: { 'MAIL FROM': '550 5.7.1 not you' },
    outcome: 'failed',
    failure: /^the mail server refuses the sender: check TOLLGATE_MAIL_FROM \(SMTP 550\)$/,
  },
  {
    says: 'that the mail looks like spam',
    replies: { '.': '554 5.7.1 looks like spam' },
    outcome: 'failed',
    failure: /^the mail server refuses what the mail says \(SMTP 554\)$/,
  },
]

let server: MailServerUnderTest | null = null
afterEach(() => server?.close())

async function sent({ tls = 'none', replies = {}, url = 'smtp://127.0.0.1', ...more }: Manner) {
  server = await startMailServer({ tls })
  for (const [command, line] of Object.entries(replies)) server.reply(command, line)
  const reached = readMailServer(`${url}:${server.port}`)
  if (reached === null) throw new Error(`no address: ${url}`)
  const { quietMs = MAIL_LIMITS.quietMs, greetedMs = MAIL_LIMITS.greetedMs, authorities } = more
  const carrier = new MailCarrier({
    server: reached,
    from: { name: '', address: 'alerts@gate.example.test' },
    limits: { ...MAIL_LIMITS, quietMs, greetedMs },
    ...(authorities === undefined ? {} : { authorities }),
  })
  const outcome = await carrier.send(aBudgetAlert(), new AbortController().signal)
  return { outcome, mails: server.mails }
}

test.for(MANNERS)('a mail server that says $says', async (manner) => {
  const { outcome, mails } = await sent(manner)
  if (manner.outcome === 'delivered' || manner.outcome === 'encrypted') {
    expect(outcome).toEqual({ kind: 'delivered' })
    expect(mails.map(({ isEncrypted }) => isEncrypted)).toEqual([manner.outcome === 'encrypted'])
    return
  }
  expect(outcome).toMatchObject({ kind: manner.outcome, failure: expect.stringMatching(manner.failure ?? /^$/) })
  expect(mails).toEqual([])
  // Neither an address nor a password nor what the server said.
  expect(JSON.stringify(outcome)).not.toMatch(/ada|hunter2|example\.test|5\.7\.|spam|mailbox/)
})

test('a server that greets late is not asked for TLS once it has said a part of its greeting', async () => {
  server = await startMailServer()
  server.reply('greeting', '220-wait for it')
  const reached = { host: '127.0.0.1', port: server.port, isSecure: false, credentials: null }
  const limits = { ...MAIL_LIMITS, quietMs: 100, greetedMs: 500 }
  const from = { name: '', address: 'alerts@gate.example.test' }
  const outcome = await new MailCarrier({ server: reached, from, limits }).send(
    aBudgetAlert(),
    new AbortController().signal,
  )
  expect(outcome.kind).toBe('failed')
  expect(server.connections()).toBe(1)
})

test('the certificate of another machine is checked with and without a login, and one of this machine with one', () => {
  const credentials = { user: 'ada', password: 'hunter2' }
  const reached = { host: 'mail.example.test', port: 25, isSecure: false, credentials: null }
  const isChecked = (login: typeof credentials | null, isHere: boolean) =>
    tlsOptions({ server: { ...reached, credentials: login } }, { isHere }).rejectUnauthorized !== false
  expect([isChecked(null, false), isChecked(credentials, false), isChecked(credentials, true)]).toEqual([
    true,
    true,
    true,
  ])
  expect(isChecked(null, true)).toBe(false)
})

test('a port at which nothing listens, and a name that nothing has, are named', async () => {
  server = await startMailServer()
  const { port } = server
  await server.close()
  server = null
  const failureAt = async (host: string) => {
    const reached = { host, port, isSecure: false, credentials: null }
    const carrier = new MailCarrier({ server: reached, from: { name: '', address: 'a@gate.example.test' } })
    return carrier.send(aBudgetAlert(), new AbortController().signal)
  }
  expect(await failureAt('127.0.0.1')).toMatchObject({ failure: expect.stringMatching(/^no mail server listens/) })
  expect(await failureAt('mail.invalid')).toMatchObject({
    failure: expect.stringMatching(/^the host name of the mail server (is not known|could not be looked up)/),
  })
})

test.for([
  ['CERT_HAS_EXPIRED', /has expired$/],
  ['CERT_NOT_YET_VALID', /not valid yet: check the clock/],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', /do not agree on TLS \(ERR_SSL_UNSUPPORTED_PROTOCOL\)$/],
  ['ECONNRESET', /closed the connection/],
  ['EHOSTUNREACH', /no route/],
  ['ESTREAM', /failed \(ESTREAM\)$/],
] as const)('a socket that fails with %s is named without its address', ([code, sentence]) => {
  const error = Object.assign(new Error('connect 10.0.0.7:25'), { code: 'ESOCKET', originalCode: code })
  const { message } = mailFailureOf(error, { isSecure: false, credentials: null })
  expect(message).toMatch(sentence)
  expect(message).not.toContain('10.0.0.7')
})
