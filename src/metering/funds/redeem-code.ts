import type { ListPlace } from '../../core/list-place.ts'
import type { NanoUsd } from '../../core/money.ts'
import type { LedgerEntry } from './ledger.ts'

/** A code that grants balance or a plan, once. Only its hash is stored; it is shown when it is made and never again. */
export interface RedeemCode {
  readonly id: string
  /** First and last characters, for display. */
  readonly codeStart: string
  readonly codeEnd: string
  readonly grants: RedeemGrant
  readonly note: string
  readonly createdAt: number
  /** null: it stays valid. Epoch milliseconds. */
  readonly expiresAt: number | null
  readonly redeemedAt: number | null
  readonly redeemedBy: string | null
}

/**
 * A new code, as people read, type and paste it: five groups of four characters, 98 bits. `randomBytes` is that of
 * node:crypto, or a test's.
 */
export function newRedeemCode(randomBytes: (count: number) => Uint8Array): string {
  let code = ''
  let characters = 0
  for (let draw = 0; draw < DRAWS_LIMIT; draw++) {
    for (const byte of randomBytes(DRAWN_BYTES)) {
      if (byte >= UNIFORM_BELOW) continue
      if (characters > 0 && characters % GROUP_LENGTH === 0) code += '-'
      code += ALPHABET.charAt(byte % ALPHABET.length)
      characters += 1
      if (characters === CODE_LENGTH) return code
    }
  }
  throw new Error('the source of randomness gives nothing that can be used')
}

/**
 * The code as it was typed, in the one form that is hashed: upper case, in its groups. null: no code looks like that.
 * White space, dashes and case are whatever a person or a mail program made of them.
 */
export function readRedeemCode(text: string): string | null {
  if (text.length > LONGEST_TYPED) return null
  const characters = text.toUpperCase().replace(/[\s\p{Dash}]+/gu, '')
  if (OF_OTHERS.test(characters)) return characters
  return IN_ALPHABET.test(characters) ? (characters.match(/.{4}/g) ?? []).join('-') : null
}

/** The parts of a code that are kept for recognising it. */
export function shownParts(code: string): { readonly start: string; readonly end: string } {
  return { start: code.slice(0, GROUP_LENGTH), end: code.slice(-GROUP_LENGTH) }
}

/** The reason of the ledger entry that a code of a balance is paid in with. */
export function redeemReason(codeId: string): string {
  return `${REASON_START}${codeId}`
}

/** The id of the code that the balance came from; null: the entry is not of a code. */
export function redeemedCodeId({ kind, reason }: Pick<LedgerEntry, 'kind' | 'reason'>): string | null {
  return kind === 'redeem' && reason.startsWith(REASON_START) ? reason.slice(REASON_START.length) : null
}

const REASON_START = 'redeem code '

/** No I, L, O, U, 0 or 1: nothing that is taken for something else, and no words by accident. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 20
const GROUP_LENGTH = 4
const IN_ALPHABET = new RegExp(`^[${ALPHABET}]{${CODE_LENGTH}}$`)
/** The form of codes of other gateways, from which codes were imported. */
const OF_OTHERS = /^[0-9A-Z]{32}$/
const LONGEST_TYPED = 100
/** The largest multiple of the alphabet's length in a byte: what is above would make some characters likelier than others. */
const UNIFORM_BELOW = 240
const DRAWN_BYTES = 32
const DRAWS_LIMIT = 20

export type RedeemGrant =
  | { readonly kind: 'balance'; readonly amount: NanoUsd }
  | { readonly kind: 'plan'; readonly planId: string; readonly planName: string; readonly days: number }

export type RedeemAnswer =
  | ({ readonly kind: 'balance'; readonly amount: NanoUsd; readonly balanceAfter: NanoUsd } & Followed)
  | ({
      readonly kind: 'plan'
      readonly subscriptionId: string
      readonly planName: string
      readonly endsAt: number
    } & Followed)
  /** `isOwn`: by the very account that asks. */
  | { readonly kind: 'already_redeemed'; readonly isOwn: boolean }
  | { readonly kind: 'unknown_code' | 'expired' | 'unknown_account' | 'plan_gone' | 'balance_too_large' }

/** Gateways spend what was granted when they have followed the change with this number. */
interface Followed {
  readonly seq: number
}

/** Codes that were created at once: they grant the same. */
export interface RedeemCodeBatch extends Pick<RedeemCode, 'grants' | 'note' | 'createdAt' | 'expiresAt'> {
  readonly made: number
  readonly used: number
}

/** Unused codes that are over count as expired alone. */
export const REDEEM_CODE_STATES = ['unused', 'used', 'expired'] as const

export interface RedeemCodeFilter {
  readonly state?: (typeof REDEEM_CODE_STATES)[number] | undefined
  /** When codes were created at once. Epoch milliseconds. */
  readonly createdAt?: number | undefined
  /** Part of the note, or how the code ends, or its id. */
  readonly search?: string | undefined
  /** Epoch milliseconds: what is expired is so now. */
  readonly nowMs: number
}

export interface RedeemCodeStore {
  /** False, and nothing is stored: a code with this hash is there already. */
  create(code: Omit<RedeemCode, 'redeemedAt' | 'redeemedBy'>, codeHash: string): Promise<boolean>
  /** Newest first; behind a place where one is given. */
  list(limit: number, after?: ListPlace | null, filter?: RedeemCodeFilter): Promise<readonly RedeemCode[]>
  /** The newest first, at most `limit`. */
  batches(limit: number): Promise<readonly RedeemCodeBatch[]>
  find(id: string): Promise<RedeemCode | null>
  /** How up to 200 codes end, by their ids. Those that are not there are left out. */
  endsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Deletes an unused one; false otherwise. */
  delete(id: string): Promise<boolean>
  /**
   * Grants what the code is for, in one transaction with marking it: of many who redeem it at the same instant one gets it.
   * `entryId` and `subscriptionId` are the ids that what is granted will have.
   */
  redeem(request: {
    readonly codeHash: string
    readonly accountId: string
    readonly nowMs: number
    readonly entryId: string
    readonly subscriptionId: string
    readonly actor: string
  }): Promise<RedeemAnswer>
}
