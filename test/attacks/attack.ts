/** One attack as a test. */
import { test } from 'vitest'
import { readSettings } from './settings.ts'

/** A test by the guarantee that it keeps. */
export function attack(guarantee: string, make: () => Promise<void>): void {
  test(guarantee, { timeout: TIMEOUT_MS }, make)
}

/** An attack that takes too much of the machine to be in every run of the tests: only the long form has it. */
export function longAttack(guarantee: string, make: () => Promise<void>): void {
  if (readSettings(process.env).isLong) attack(guarantee, make)
}

const TIMEOUT_MS = 600_000
