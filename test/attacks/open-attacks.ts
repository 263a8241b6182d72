/** Attacks that still succeed: the long form makes them and fails, the short form shows them as skipped. */
import { test } from 'vitest'
import { readSettings } from './settings.ts'

const OPEN: ReadonlySet<string> = new Set<string>([
  'no header of a client that steers an upstream, or that carries a credential, arrives there',
  'a header that Connection names ends at the gateway',
  'JSON goes out as JSON, whatever the client calls it',
  'an upstream’s error gives its credential away in no field and no header',
  'an upstream’s answer is never a page, and sets no cookie',
  'a key that was put into the path comes back in no answer',
  'what depends on the key is stored by no cache',
  'an admin’s lists have no credential and no value of an upstream’s header',
])

/** A test by the guarantee that it keeps. */
export function attack(guarantee: string, make: () => Promise<void>): void {
  const { isLong } = readSettings(process.env)
  test.skipIf(!isLong && OPEN.has(guarantee))(guarantee, { timeout: TIMEOUT_MS }, make)
}

/** One that takes too much of the machine to be in every run of the tests. */
export function longAttack(guarantee: string, make: () => Promise<void>): void {
  const { isLong } = readSettings(process.env)
  test.skipIf(!isLong)(guarantee, { timeout: TIMEOUT_MS }, make)
}

const TIMEOUT_MS = 600_000
