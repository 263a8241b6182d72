import { timingSafeEqual } from 'node:crypto'

/**
 * The tokens of signed-in devices. An access token opens the gateway for an hour and is checked without a query: it names its
 * key, its end and the key's epoch under a MAC. A refresh token is made from the salt of the device's row and a number.
 */
export interface DeviceTokens {
  accessToken(of: AccessTokenContent): string
  /** What a text says that has the form of an access token and is one of this installation's; null: it is none. */
  readAccessToken(text: string): AccessTokenContent | null
  refreshToken(of: RefreshTokenContent & { readonly salt: string }): string
  /** What a text with the form of a refresh token names: whether it is right, only `isRefreshToken` says. */
  readRefreshToken(text: string): RefreshTokenContent | null
  /** Whether it is the refresh token with its number and this salt. */
  isRefreshToken(text: string, of: RefreshTokenContent & { readonly salt: string }): boolean
}

export interface AccessTokenContent {
  readonly keyId: string
  /** Epoch milliseconds, to the second. */
  readonly expiresAt: number
  /** The key’s epoch when it was made: a key whose epoch is another has ended all tokens from before. */
  readonly epoch: number
}

export interface RefreshTokenContent {
  readonly keyId: string
  readonly count: number
}

export const DEVICE_ACCESS_PREFIX = 'tg-dat-'
export const DEVICE_REFRESH_PREFIX = 'tg-drt-'

/** The MAC of an access token: 132 bits. */
const MAC_CHARACTERS = 22
const ACCESS = /^tg-dat-([0-9a-z]{1,40})-([0-9a-z]{1,8})-([0-9a-z]{1,6})-([\w-]{22})$/
const REFRESH = /^tg-drt-([0-9a-z]{1,40})-([0-9a-z]{1,8})-([\w-]{43})$/
const KEY_ID = 'key_'

/**
 * `hashesOfAccess`: one for each secret of the installation, the one to make tokens with first; tokens of any are good.
 * `hashOfRefresh`: under the secret that the database was made with, so that a new secret signs no device out.
 */
export function deviceTokens(hashes: {
  readonly ofAccess: readonly ((text: string) => string)[]
  readonly ofRefresh: (text: string) => string
}): DeviceTokens {
  const { ofAccess, ofRefresh } = hashes
  const macs = (body: string) => ofAccess.map((hash) => hash(body).slice(0, MAC_CHARACTERS))
  return {
    accessToken({ keyId, expiresAt, epoch }) {
      const body = `${shortId(keyId)}-${Math.floor(expiresAt / 1000).toString(36)}-${epoch.toString(36)}`
      return `${DEVICE_ACCESS_PREFIX}${body}-${macs(body)[0]}`
    },
    readAccessToken(text) {
      const [, id, end, epoch, mac] = ACCESS.exec(text) ?? []
      if (id === undefined || end === undefined || epoch === undefined || mac === undefined) return null
      if (!macs(`${id}-${end}-${epoch}`).some((right) => isEqual(right, mac))) return null
      return { keyId: KEY_ID + id, expiresAt: Number.parseInt(end, 36) * 1000, epoch: Number.parseInt(epoch, 36) }
    },
    refreshToken: (of) => refreshToken(of, ofRefresh),
    readRefreshToken(text) {
      const [, id, count] = REFRESH.exec(text) ?? []
      return id === undefined || count === undefined ? null : { keyId: KEY_ID + id, count: Number.parseInt(count, 36) }
    },
    isRefreshToken: (text, of) => isEqual(refreshToken(of, ofRefresh), text),
  }
}

/** Whether a text has the form of an access token, of whichever installation. */
export function hasTokenForm(text: string): boolean {
  return ACCESS.test(text)
}

/** What the key of a device is found by in the ring: no secret has such a hash. */
export function deviceHash(keyId: string): string {
  return `device:${keyId}`
}

function refreshToken(
  { keyId, count, salt }: RefreshTokenContent & { readonly salt: string },
  hash: (text: string) => string,
): string {
  return `${DEVICE_REFRESH_PREFIX}${shortId(keyId)}-${count.toString(36)}-${hash(`${keyId}.${salt}.${count}`)}`
}

function shortId(keyId: string): string {
  return keyId.slice(KEY_ID.length)
}

/** Compares in a time that does not show where two texts differ. */
function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** The letters of codes that people type: without vowels, so that they spell no words (RFC 8628, 6.1). */
const CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const CODE_LENGTH = 8
const IS_CODE = new RegExp(`^[${CODE_LETTERS}]{${CODE_LENGTH}}$`)
/** 240 is the largest multiple of 20 in a byte. */
const UNIFORM_BELOW = 240
const DRAWS_LIMIT = 20

/** Eight letters of twenty: 34 bits, `XXXX-XXXX`. */
export function newUserCode(randomBytes: (count: number) => Uint8Array): string {
  let code = ''
  for (let draw = 0; draw < DRAWS_LIMIT; draw++) {
    for (const byte of randomBytes(CODE_LENGTH * 2)) {
      if (byte < UNIFORM_BELOW) code += CODE_LETTERS[byte % CODE_LETTERS.length] ?? ''
      if (code.length === CODE_LENGTH) return `${code.slice(0, 4)}-${code.slice(4)}`
    }
  }
  throw new Error('the source of randomness gives nothing that can be used')
}

/** A code as people type it, in any case and with or without the hyphen, as it was made; null: it is none. */
export function readUserCode(text: string): string | null {
  const letters = text.toUpperCase().replaceAll(/[\s-]/g, '')
  return IS_CODE.test(letters) ? `${letters.slice(0, 4)}-${letters.slice(4)}` : null
}
