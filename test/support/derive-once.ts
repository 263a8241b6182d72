import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { callbackify, promisify } from 'node:util'

type Asked = [password: BinaryLike, salt: BinaryLike, length: number, options: ScryptOptions]

const derive = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(crypto.scrypt)
/** The keys that are known: as many as a test run has passwords. */
const known = new Map<string, Promise<Buffer>>()

/**
 * Lets this process derive each key of a password once: the same password and salt at the same cost have the same key, so
 * what is right or wrong stays so. At full cost a key takes 70 ms of a processor, and tests that sign in or guess ask for
 * the same ones again and again. What a key costs is tested beside `access/password.ts`, where this is not called.
 */
export function deriveOnce(): void {
  Object.assign(crypto, { scrypt: callbackify(keyOf) })
  syncBuiltinESMExports()
}

async function keyOf(...asked: Asked): Promise<Buffer> {
  const name = JSON.stringify(asked)
  const key = known.get(name) ?? derive(...asked)
  known.set(name, key)
  return Buffer.from(await key)
}
