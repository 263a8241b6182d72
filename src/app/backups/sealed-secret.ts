/** The installation's secret in a backup: under a passphrase, so that the file alone opens nothing. */
import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { SealError, sealer } from '../../core/secret-box.ts'

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt)

/** 128 MB and about half a second for each try: OWASP's first choice for scrypt (Password Storage Cheat Sheet). */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }
const SALT_BYTES = 16
const FORM = /^scrypt17\.([\w-]{22})\.(.+)$/

/** `scrypt17.<salt>.<sealed text>`; sealing twice gives two different texts. */
export async function sealSecret(
  secret: string,
  passphrase: string,
  randomBytes: (count: number) => Buffer,
): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return `scrypt17.${salt.toString('base64url')}.${(await sealerOf(passphrase, salt)).seal(secret)}`
}

/** Null: the passphrase is another one, or the text was changed. */
export async function openSecret(sealed: string, passphrase: string): Promise<string | null> {
  const [, salt, text] = FORM.exec(sealed) ?? []
  if (salt === undefined || text === undefined) return null
  try {
    return (await sealerOf(passphrase, Buffer.from(salt, 'base64url'))).open(text)
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}

async function sealerOf(passphrase: string, salt: Buffer) {
  const key = await derive(passphrase.normalize('NFC'), salt, 32, COST)
  return sealer(key.toString('base64url'))
}
