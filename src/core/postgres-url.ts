/** What the URL of a PostgreSQL database says about TLS, in libpq's terms, and what TLS failures mean. */
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'

export interface PostgresAddress {
  /** The connection string without what is said about TLS, so that the driver does not read it in its own way. */
  readonly connectionString: string
  /** false: none. undefined: nothing is said, and the driver’s own standard applies. */
  readonly ssl: ConnectionOptions | false | undefined
  /** `prefer`: a server that offers no TLS is used without. */
  readonly isTlsOptional: boolean
  /** `direct`: TLS from the first byte. */
  readonly sslnegotiation?: string
}

/** Something about TLS in a URL that cannot be used. The message says what, and what to do. */
export class UnusableTls extends Error {
  override readonly name = 'UnusableTls'
}

const OF_TLS = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword', 'sslnegotiation', 'uselibpqcompat']
/** `sslrootcert=system`: the authorities that Node.js knows. */
const SYSTEM = 'system'

/**
 * Reads a `postgres://` URL and the files of certificates that it names; what cannot be read as a URL is left to the driver. Throws
 * UnusableTls.
 */
export function readPostgresUrl(text: string): PostgresAddress {
  const url = URL.parse(text)
  if (url === null) return { connectionString: text, ssl: undefined, isTlsOptional: false }
  const given = Object.fromEntries(OF_TLS.map((name) => [name, url.searchParams.get(name) ?? undefined]))
  if (Object.values(given).every((value) => value === undefined)) {
    return { connectionString: text, ssl: undefined, isTlsOptional: false }
  }
  for (const name of OF_TLS) url.searchParams.delete(name)
  const mode = modeOf(given)
  const { sslnegotiation } = given
  return {
    connectionString: url.href,
    ssl: tlsOf(mode, given),
    isTlsOptional: mode === 'prefer' || mode === 'allow',
    ...(sslnegotiation !== undefined && { sslnegotiation }),
  }
}

type Given = Readonly<Record<string, string | undefined>>

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'] as const
type Mode = (typeof MODES)[number]

function modeOf({ ssl, sslmode, sslrootcert }: Given): Mode {
  const mode = MODES.find((each) => each === sslmode)
  if (sslmode !== undefined && mode === undefined) {
    throw new UnusableTls(
      `sslmode is ${JSON.stringify(sslmode)}, but it must be disable, allow, prefer, require, verify-ca or verify-full`,
    )
  }
  if (sslrootcert === SYSTEM && mode !== undefined && mode !== 'verify-full') {
    throw new UnusableTls(`sslrootcert=system needs sslmode=verify-full: anyone can get a certificate of theirs`)
  }
  if (mode !== undefined) return mode
  if (ssl === 'no-verify') return 'no-verify'
  return ssl === '0' || ssl === 'false' ? 'disable' : 'verify-full'
}

function tlsOf(mode: Mode, { sslrootcert, sslcert, sslkey, sslpassword }: Given): ConnectionOptions | false {
  if (mode === 'disable') return false
  const own = {
    ...(sslcert !== undefined && { cert: fileOf('sslcert', sslcert) }),
    ...(sslkey !== undefined && { key: fileOf('sslkey', sslkey) }),
    ...(sslpassword !== undefined && { passphrase: sslpassword }),
  }
  const authority =
    sslrootcert === undefined || sslrootcert === SYSTEM ? {} : { ca: fileOf('sslrootcert', sslrootcert) }
  if (mode === 'verify-full') return { ...own, ...authority }
  if (mode === 'verify-ca' && sslrootcert === undefined) {
    throw new UnusableTls(
      'sslmode=verify-ca needs sslrootcert, the file of the authority that signed the certificate of the server',
    )
  }
  // libpq’s rule of old: with the file of an authority, `require` checks by it.
  const checksAuthority = mode === 'verify-ca' || (mode === 'require' && sslrootcert !== undefined)
  return checksAuthority
    ? { ...own, ...authority, checkServerIdentity: () => undefined }
    : { ...own, rejectUnauthorized: false }
}

function fileOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new UnusableTls(`${name} names ${JSON.stringify(path)}, which cannot be read (${code}): correct the path`, {
      cause: error,
    })
  }
}

/** The words of the driver for a server that was asked for TLS and has none. */
const OFFERS_NONE = /server does not support SSL/i

const UNKNOWN_AUTHORITY = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
])

/** Whether the server offers no TLS at all. */
export function offersNoTls(error: unknown): boolean {
  return error instanceof Error && OFFERS_NONE.test(error.message)
}

/** What a failure to connect means, where it is one of TLS, and what to do; null: it is another. */
export function tlsFailure(error: Error): string | null {
  const code = 'code' in error ? String(error.code) : ''
  if (offersNoTls(error))
    return 'the server offers no TLS, which sslmode asks for: enable it there, or say sslmode=disable'
  if (UNKNOWN_AUTHORITY.has(code)) {
    return 'the certificate of the server is signed by an authority that is not known here: name the file of that authority with sslrootcert, or say sslmode=require to encrypt without a check'
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'the certificate of the server is for another name than the host in the URL: use that name, or sslmode=verify-ca with sslrootcert'
  }
  if (code === 'CERT_HAS_EXPIRED') return 'the certificate of the server has expired: renew it'
  if (code === 'CERT_NOT_YET_VALID') return 'the certificate of the server is not valid yet: check the clocks'
  if (/no encryption|SSL off/i.test(error.message)) {
    return 'the server takes no connection without TLS from here: add sslmode=require or sslmode=verify-full to the URL'
  }
  if (/requires a valid client certificate|certificate required/i.test(error.message)) {
    return 'the server asks for a certificate of the client: name its files with sslcert and sslkey'
  }
  return null
}
