import { isIPv4 } from 'node:net'
import { codeOf } from './carrier.ts'
import type { Carrier, OutgoingAlert, SendOutcome } from './carrier.ts'
import type { MailServer, MailSettings } from './mail-address.ts'
import { MAIL_TEXTS } from './mail-texts.ts'

export interface MailOptions extends MailSettings {
  readonly timeoutMs?: number
}

/** For the whole conversation with the mail server, which may look names up before it greets. */
const SENT_WITHIN_MS = 30_000

/** Mails alerts to the account they are about. */
export class MailCarrier implements Carrier {
  readonly way = 'mail'
  readonly #options: MailOptions
  #transport: ReturnType<typeof openTransport> | null = null

  constructor(options: MailOptions) {
    this.#options = options
  }

  async send(alert: OutgoingAlert, signal: AbortSignal): Promise<SendOutcome> {
    const { from, server, timeoutMs = SENT_WITHIN_MS } = this.#options
    const late = AbortSignal.timeout(timeoutMs)
    const { subject, body } = MAIL_TEXTS.en(alert)
    try {
      this.#transport ??= openTransport(server, timeoutMs)
      const transport = await this.#transport
      await transport.sendMail({
        from,
        // As an object it is one address, whatever is in it.
        to: { name: '', address: alert.accountEmail },
        messageId: messageId(alert.id, from.address),
        subject,
        text: body,
        // Out-of-office answers and the like would reach no reader (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.any([signal, late]),
      })
      return { kind: 'delivered' }
    } catch (error) {
      if (late.aborted) return failed(`the mail was not taken within ${timeoutMs / 1000} s`)
      return isRefusal(error) ? { kind: 'refused', failure: failureOf(error) } : failed(failureOf(error))
    }
  }
}

/** It takes as much memory as a tenth of an idle gateway, so it is loaded when there is something to send. */
export async function openTransport(server: MailServer, timeoutMs: number) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host: server.host,
    port: server.port,
    secure: server.isSecure,
    // A password is not shown to a man in the middle who hides TLS.
    requireTLS: server.credentials !== null && !isThisMachine(server.host),
    ...(server.credentials === null
      ? {}
      : { auth: { user: server.credentials.user, pass: server.credentials.password } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

/** The same for every try, so that a mailbox which gets a message twice can show it once. */
function messageId(alertId: string, sender: string): string {
  return `<${alertId.replace(/[^A-Za-z0-9_-]+/g, '.')}@${sender.slice(sender.indexOf('@') + 1)}>`
}

const PERMANENT = 500

/** The address itself was turned down for good: trying again would only make us a nuisance. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || codeOf(error) !== 'EENVELOPE') return false
  const reply = replyOf(error)
  const command = 'command' in error ? error.command : null
  return (command === 'RCPT TO' && reply !== null && reply >= PERMANENT) || command === 'API'
}

/** Code and reply number; a reply's text may repeat user names and addresses. */
function failureOf(error: unknown): string {
  const reply = replyOf(error)
  return reply === null ? codeOf(error) : `${codeOf(error)}, SMTP ${reply}`
}

function replyOf(error: unknown): number | null {
  return error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
    ? error.responseCode
    : null
}

function failed(failure: string): SendOutcome {
  return { kind: 'failed', failure, retryAfterMs: null }
}
