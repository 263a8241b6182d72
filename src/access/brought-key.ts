/**
 * Keys that came from another gateway as their plain SHA-256 alone. Such a hash stands where a key’s own does, with a mark
 * before it that no own hash has, until the secret is presented for the first time: then the key gets its own.
 */
import { hash } from 'node:crypto'
import { displayParts } from './key-secret.ts'

/** What a hash that was brought begins with, and the first text behind all that do. */
export const BROUGHT_RANGE = { from: 'sha256:', before: 'sha256;' } as const

/** A secret as a key that was brought is found by it, with what its row lacks. */
export interface BroughtSecret {
  readonly hash: string
  readonly start: string
  readonly end: string
}

/** Hashes a presented secret as the gateways do that keys were imported from. */
export function broughtSecret(secret: string): BroughtSecret {
  return { hash: broughtHashOf(secret), ...displayParts(secret) }
}

/** The hash of a secret, as a key that was brought is stored. */
export function broughtHashOf(secret: string): string {
  return BROUGHT_RANGE.from + hash('sha256', secret, 'hex')
}

/** The hash that another gateway has of a secret, as it is stored here; null: it is none. */
export function readBroughtHash(hex: string): string | null {
  return /^[0-9a-f]{64}$/.test(hex) ? BROUGHT_RANGE.from + hex : null
}

/** Whether a key is still stored by the hash that it was brought with. */
export function isBroughtKeyHash(secretHash: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(secretHash)
}
