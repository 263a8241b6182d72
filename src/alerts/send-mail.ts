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
  try {
    const transport = await openTransport(settings, { limits, signal: ending })
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
    if (late.aborted) throw new MailFailure(`the mail was not taken within ${limits.doneMs / 1000} s`)
    throw mailFailureOf(error, settings.server)
  }
}

/** It takes as much memory as a tenth of an idle gateway, so it is loaded when there is something to send. */
async function openTransport(settings: MailSettings, dialling: { limits: MailLimits; signal: AbortSignal }) {
  const { createTransport } = await import('nodemailer')
  const { server } = settings
  const { openedMs, greetedMs, doneMs } = dialling.limits
  const isHere = isThisMachine(server.host)
  return createTransport({
    host: server.host,
    port: server.port,
    secure: server.isSecure,
    // A password is not shown to a man in the middle who hides TLS.
    requireTLS: server.credentials !== null && !isHere,
    opportunisticTLS: server.credentials === null && isHere,
    tls: tlsOptions(settings),
    ...(server.credentials === null
      ? {}
      : { auth: { user: server.credentials.user, pass: server.credentials.password } }),
    getSocket(_options, callback) {
      dialMailServer(settings, dialling).then(
        (connection) => callback(null, { connection, secured: server.isSecure }),
        (error: Error) => callback(error),
      )
    },
    connectionTimeout: openedMs + greetedMs,
    greetingTimeout: greetedMs,
    socketTimeout: doneMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
