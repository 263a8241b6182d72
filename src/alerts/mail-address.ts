/** How mail leaves: the server, and whom it is from. */
export interface MailSettings {
  readonly server: MailServer
  readonly from: MailSender
  /** Certificates in PEM that its certificate may be signed by, beside those that this machine trusts. Absent: none. */
  readonly authorities?: string
}

export interface MailServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. Else the connection is turned to TLS when the server offers it. */
  readonly isSecure: boolean
  /** null: it takes mail without signing in. */
  readonly credentials: { readonly user: string; readonly password: string } | null
}

export interface MailSender {
  /** May be empty. */
  readonly name: string
  readonly address: string
}

const SUBMISSION_PORT = 587
const SECURE_PORT = 465

/** Reads `smtp://user:password@host:port` or `smtps://…`; null for anything else. User and password are percent-encoded. */
export function readMailServer(text: string): MailServer | null {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return null
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') return null
  const isSecure = url.protocol === 'smtps:'
  const [user, password] = [decoded(url.username), decoded(url.password)]
  // One without the other is half a credential.
  if (user === null || password === null || (user === '') !== (password === '')) return null
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isSecure ? SECURE_PORT : SUBMISSION_PORT) : Number(url.port),
    isSecure,
    credentials: user === '' ? null : { user, password },
  }
}

/** Reads `address` or `Name <address>`; null for anything else. */
export function readMailSender(text: string): MailSender | null {
  const match = /^(?:"?([^"<>\p{Cc}]{0,100}?)"?\s*<([^<>]+)>|([^<>]+))$/u.exec(text)
  const address = match?.[2] ?? match?.[3] ?? ''
  return ADDRESS.test(address) ? { name: match?.[1] ?? '', address } : null
}

const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]{1,255}$/u

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
