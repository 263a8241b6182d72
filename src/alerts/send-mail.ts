import type { Socket } from 'node:net'
import type { SMTPTransportOptions } from 'nodemailer'
import type { MailSettings } from './mail-address.ts'
import { dialMailServer, isThisMachine, MAIL_LIMITS, type MailLimits, tlsOptions } from './mail-connection.ts'
import { MailFailure, mailFailureOf } from './mail-failure.ts'

export interface OutgoingMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Left out: it gets one. */
  readonly messageId?: string
}

/** Hands one mail to the mail server, on a connection of its own. Rejects with MailFailure. `signal` ends it early. */
export async function sendMail(
  settings: MailSettings,
  { to, ...mail }: OutgoingMail,
  { signal, limits = MAIL_LIMITS }: { readonly signal?: AbortSignal; readonly limits?: MailLimits } = {},
): Promise<void> {
  const late = AbortSignal.timeout(limits.doneMs)
  const ending = signal === undefined ? late : AbortSignal.any([signal, late])
  let connection: Socket | null = null
  try {
    // It takes as much memory as a tenth of an idle gateway, so it is loaded when there is something to send.
    const { createTransport } = await import('nodemailer')
    connection = await dialMailServer(settings, { limits, signal: ending })
    const transport = createTransport(optionsOn(connection, settings, limits))
    await transport.sendMail({
      ...mail,
      from: settings.from,
      // As an object it is one address, whatever is in it.
      to: { name: '', address: to },
      // Out-of-office answers and the like would reach no reader (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: ending,
    })
  } catch (error) {
    connection?.destroy()
    if (late.aborted) throw new MailFailure(`the mail was not taken within ${limits.doneMs / 1000} s`)
    throw mailFailureOf(error, settings.server)
  }
}

function optionsOn(connection: Socket, settings: MailSettings, limits: MailLimits): SMTPTransportOptions {
  const { host, port, isSecure, credentials } = settings.server
  const isHere = !isSecure && isThisMachine(connection.remoteAddress ?? '')
  return {
    host,
    port,
    secure: isSecure,
    // A password is not shown to a man in the middle who hides TLS.
    requireTLS: credentials !== null && !isThisMachine(host),
    opportunisticTLS: credentials === null && isHere,
    tls: tlsOptions(settings, { isHere }),
    ...(credentials === null ? {} : { auth: { user: credentials.user, pass: credentials.password } }),
    getSocket: (_options, callback) => callback(null, { connection, secured: isSecure }),
    connectionTimeout: limits.doneMs,
    greetingTimeout: limits.greetedMs,
    socketTimeout: limits.doneMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
