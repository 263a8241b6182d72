import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { BOUNDS } from '../core/bounds.ts'

/**
 * Hashes a password as `salt:key`, both hexadecimal: scrypt with N = 16384, r = 16, p = 1 over the NFKC form of the
 * password, 64 bytes long. The salt goes in as its hexadecimal text. This is the form that better-auth writes and reads
 * (documented as its default), since it takes the accounts over. Costs 32 MB and some 60 ms, off the main thread.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString('hex')
  const key = await derive(password, salt)
  return `${salt}:${key.toString('hex')}`
}

/**
 * Whether this is the password. Takes the same time whichever part differs. False for anything but a hash. Accounts of other
 * gateways bring theirs as bcrypt makes them.
 */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  if (isBroughtHash(stored)) return (await import('bcryptjs')).compare(password, stored)
  const [, salt, keyHex] = /^([0-9a-f]{32}):([0-9a-f]{128})$/.exec(stored) ?? []
  if (salt === undefined || keyHex === undefined) return false
  return timingSafeEqual(await derive(password, salt), Buffer.from(keyHex, 'hex'))
}

/** Whether it was made by bcrypt at another gateway: it is replaced when its password is known again. */
export function isBroughtHash(stored: string): boolean {
  return /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(stored)
}

/** What is wrong with a new password, as a sentence without it, or null. */
export function passwordObjection(password: string): string | null {
  const { length } = password
  const { least, most } = BOUNDS.account.password
  if (length < least) return `the password has ${length} characters; it must have at least ${least}`
  if (length > most) return `the password has ${length} characters; it must have at most ${most}`
  return null
}

const COST = { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 } as const

function derive(password: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, 64, COST, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}
