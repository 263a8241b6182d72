import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts short texts, such as upstream credentials, so that the database alone gives nothing away. */
export interface Sealer {
  seal(text: string): string
  /** Throws SealError when the text was not sealed with this secret, or was changed. */
  open(sealed: string): string
}

/** A sealed text that cannot be opened. Says why, never what was in it. */
export class SealError extends Error {
  override readonly name = 'SealError'
}

/** Whether a text has the form of a sealed one. Whose it is, only `open` says. */
export function isSealed(text: string): boolean {
  return SEALED.test(text)
}

const SEALED = /^v1\.([\w-]{16})\.([\w-]{22,})$/

/**
 * AES-256-GCM under a key derived from `secret` (any length, 32 bytes or more in practice).
 * Form: `v1.<initialisation vector>.<ciphertext and tag>`, both base64url. Sealing twice gives two different texts.
 */
export function sealer(secret: string): Sealer {
  const key = derivedKey(secret, 'tollgate seal v1')
  return {
    seal(text) {
      // Random 96-bit vectors are safe for 2^32 texts under one key (NIST SP 800-38D, 8.3).
      const vector = randomBytes(VECTOR_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, vector)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `v1.${vector.toString('base64url')}.${sealed.toString('base64url')}`
    },
    open(sealed) {
      const parts = SEALED.exec(sealed)
      if (parts === null) throw new SealError('this is not a sealed text of version v1')
      const bytes = Buffer.from(parts[2] ?? '', 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(parts[1] ?? '', 'base64url'), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      } catch (cause) {
        throw new SealError('this text was sealed with another secret, or changed since', { cause })
      }
    },
  }
}

/** Seals with the first of these secrets, and opens what was sealed with any of them. There is at least one. */
export function sealerOf(secrets: readonly string[]): Sealer {
  const sealers = secrets.map(sealer)
  const [first] = sealers
  if (first === undefined) throw new SealError('there is no secret to seal with')
  if (sealers.length === 1) return first
  return {
    seal: (text) => first.seal(text),
    open(sealed) {
      for (const each of sealers.slice(0, -1)) {
        try {
          return each.open(sealed)
        } catch (error) {
          if (!(error instanceof SealError)) throw error
        }
      }
      return (sealers.at(-1) ?? first).open(sealed)
    },
  }
}

/** Every sealed text within a text. */
export function sealedTextsIn(text: string): RegExpStringIterator<RegExpExecArray> {
  return text.matchAll(/\bv1\.[\w-]{16}\.[\w-]{22,}/g)
}

/**
 * HMAC-SHA-256 under a key derived from `secret` for this purpose, as 43 characters of base64url.
 * Made for the hot path: every request hashes its credential, in about 3 µs.
 */
export function keyedHash(secret: string, purpose: HashPurpose = 'api key'): (text: string) => string {
  const key = derivedKey(secret, `tollgate hash ${purpose} v1`)
  // RFC 2104 written out over the one-shot hash, which costs less than an Hmac object for each text.
  const inner = Buffer.alloc(BLOCK_BYTES + SHORT_TEXT_BYTES, 0x36)
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES, 0x5c)
  for (const [i, byte] of key.entries()) {
    inner[i] = byte ^ 0x36
    outer[i] = byte ^ 0x5c
  }
  return (text) => {
    if (text.length * 3 > SHORT_TEXT_BYTES) return createHmac('sha256', key).update(text).digest('base64url')
    const end = BLOCK_BYTES + inner.write(text, BLOCK_BYTES)
    outer.set(hash('sha256', inner.subarray(0, end), 'buffer'), BLOCK_BYTES)
    return hash('sha256', outer, 'base64url')
  }
}

/** What a hash is for. Hashes of the same text for two purposes have nothing in common. */
export type HashPurpose =
  | 'api key'
  | 'import'
  | 'set-up link'
  | 'installation'
  | 'redeem code'
  | 'access token'
  | 'device access token'
  | 'device refresh token'
  | 'device code'
  | 'repeated request'
  | 'cursor'
  | 'see as'
  | 'session'
  | 'sign-in link'
  | 'sign-in secret'

const VECTOR_BYTES = 12
const TAG_BYTES = 16
const BLOCK_BYTES = 64
const DIGEST_BYTES = 32
/** Room for a custom key of 128 characters, at three bytes a character at the most. */
const SHORT_TEXT_BYTES = 384

function derivedKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
}
