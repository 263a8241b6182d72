import { tlsFailureOf, type TlsFailure } from '../core/tls-failure.ts'
import { codeOf } from './carrier.ts'
import type { MailServer } from './mail-address.ts'

/** Why a mail was not taken. The message says what to do, and repeats no address, password or word of the server. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  /** The recipient was turned down for good: trying again would only make us a nuisance. */
  readonly isRefusal: boolean

  constructor(sentence: string, { isRefusal = false }: { readonly isRefusal?: boolean } = {}) {
    super(sentence)
    this.isRefusal = isRefusal
  }
}

/** What a socket to a mail server that speaks TLS from the first byte is ended with, where it was greeted without. */
export const SPEAKS_TLS = 'MAIL_SERVER_SPEAKS_TLS'
/** What one to a mail server that says nothing is ended with. */
export const SAYS_NOTHING = 'MAIL_SERVER_SAYS_NOTHING'
/** What one is ended with that is not open in time. */
export const OPENS_LATE = 'MAIL_SERVER_OPENS_LATE'

/** The failure of a conversation with a mail server, by its codes and reply numbers alone. */
export function mailFailureOf(error: unknown, server: Pick<MailServer, 'isSecure' | 'credentials'>): MailFailure {
  if (error instanceof MailFailure) return error
  const facts = factsOf(error)
  const isRefusal = facts.code === 'EENVELOPE' && (isPermanent(facts) || facts.command === 'API')
  return new MailFailure(sentenceOf(facts, server), { isRefusal: isRefusal && isOfRecipient(facts) })
}

interface MailFailureFacts {
  /** The code of the step of the conversation that failed, as `nodemailer` names it, or of the socket. */
  readonly code: string
  /** The code of the socket, where that is what failed. */
  readonly socketCode: string
  readonly command: string
  /** The code of the reply that ended it; null: none did. */
  readonly reply: number | null
}

function factsOf(error: unknown): MailFailureFacts {
  const read = (name: string): unknown => (error instanceof Error ? Reflect.get(error, name) : undefined)
  const [originalCode, command, reply] = ['originalCode', 'command', 'responseCode'].map(read)
  const code = read('timeoutType') === 'GREETING_TIMEOUT' ? SAYS_NOTHING : codeOf(error)
  return {
    code,
    socketCode: typeof originalCode === 'string' ? originalCode : code,
    command: typeof command === 'string' ? command : '',
    reply: typeof reply === 'number' ? reply : null,
  }
}

function isOfRecipient({ command }: MailFailureFacts): boolean {
  return command === 'RCPT TO' || command === 'API'
}

function isPermanent({ reply }: MailFailureFacts): boolean {
  return reply !== null && reply >= 500
}

function sentenceOf(facts: MailFailureFacts, server: Pick<MailServer, 'isSecure' | 'credentials'>): string {
  const { reply, socketCode } = facts
  if (reply !== null) return `${refusalOf(facts, reply, server)} (SMTP ${reply})`
  const known = SENTENCES[socketCode]
  if (known !== undefined) return known
  const ofTls = tlsFailureOf(socketCode)
  if (ofTls !== null) return tlsSentence(ofTls, { code: socketCode, isSecure: server.isSecure })
  return SENTENCES[facts.code] ?? `the conversation with the mail server failed (${socketCode})`
}

/** What the mail server refused, by the command that it answered. */
function refusalOf(facts: MailFailureFacts, reply: number, { credentials }: Pick<MailServer, 'credentials'>): string {
  const { code, command } = facts
  if (reply === WANTS_LOGIN) {
    return credentials === null
      ? 'the mail server wants a login: give TOLLGATE_SMTP_URL a user and a password'
      : 'the mail server takes no login here: use a port that offers TLS'
  }
  if (code === 'EAUTH') {
    return isPermanent(facts)
      ? 'the mail server refuses the login: check the user and the password in TOLLGATE_SMTP_URL'
      : 'the mail server cannot check the login right now'
  }
  if (command === 'STARTTLS') {
    return credentials === null
      ? 'the mail server offers TLS and does not turn to it'
      : 'the mail server does not turn to TLS, without which the login is not sent: use a port that offers TLS'
  }
  if (command === 'CONN' && isPermanent(facts)) {
    return 'the mail server turns the connection away: ask its admin whether this machine may send mail through it'
  }
  if (!isPermanent(facts))
    return 'the mail server takes the mail later: it is busy, or does not know us yet (greylisting)'
  if (command === 'RCPT TO') return 'the mail server refuses the recipient'
  if (command === 'MAIL FROM') return 'the mail server refuses the sender: check TOLLGATE_MAIL_FROM'
  if (code === 'EMESSAGE' || command === 'DATA') return 'the mail server refuses what the mail says'
  return 'the mail server refuses the conversation'
}

/** The reply to who sends mail without a login (RFC 4954), or without TLS (RFC 3207). */
const WANTS_LOGIN = 530

function tlsSentence(
  failure: TlsFailure,
  { code, isSecure }: { readonly code: string; readonly isSecure: boolean },
): string {
  switch (failure) {
    case 'certificate_expired':
      return 'the certificate of the mail server has expired'
    case 'certificate_not_yet_valid':
      return 'the certificate of the mail server is not valid yet: check the clock of this machine'
    case 'certificate_untrusted':
      return 'the certificate of the mail server is not signed by a trusted authority: name its authority, or the certificate itself, in TOLLGATE_SMTP_CA_FILE'
    case 'certificate_of_other_host':
      return 'the certificate of the mail server is for another host name: use that name in TOLLGATE_SMTP_URL'
    case 'not_tls':
      return isSecure
        ? 'the mail server does not speak TLS from the first byte at this port: use smtp:// there, which turns to TLS by STARTTLS'
        : 'the mail server said that it turns to TLS, and did not'
    case 'disagreement':
      return `the mail server and this gateway do not agree on TLS (${code})`
  }
}

const NO_NAME = 'the host name of the mail server is not known: check TOLLGATE_SMTP_URL'
const NO_ROUTE = 'the mail server cannot be reached from this machine: there is no route to its address'
const CLOSED = 'the mail server closed the connection before it took the mail'

const SENTENCES: Readonly<Partial<Record<string, string>>> = {
  [SPEAKS_TLS]: 'the mail server speaks TLS from the first byte at this port: use smtps:// there',
  [SAYS_NOTHING]: 'the mail server takes the connection and says nothing: is it the right port?',
  [OPENS_LATE]: 'no connection to the mail server could be made in time: is the port open to this machine?',
  ENOTFOUND: NO_NAME,
  EAI_AGAIN: 'the host name of the mail server could not be looked up right now',
  EDNS: NO_NAME,
  ECONNREFUSED: 'no mail server listens at this port: the connection was refused',
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  ECONNECTION: CLOSED,
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
  ETIMEDOUT: 'the mail server stopped answering',
  EENVELOPE: 'mail cannot go to this address',
  EPROTOCOL: 'what answers at this port is not a mail server',
  EABORT: 'the gateway stopped before the mail was taken',
}
