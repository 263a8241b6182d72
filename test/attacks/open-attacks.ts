/** Attacks that still succeed: the long form makes them and fails, the short form shows them as skipped. */
import { test } from 'vitest'
import { readSettings } from './settings.ts'

const OPEN: ReadonlySet<string> = new Set<string>()

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
