import type { NanoUsd } from '../core/money.ts'
import type { Role } from '../core/roles.ts'

/** What a link that is sent or copied to a person allows, once. Its token is known as a hash alone. */
export interface SignInLink extends InvitationGift {
  readonly id: string
  readonly purpose: SignInLinkPurpose
  /** Whom it is for; null: a person without an account. */
  readonly accountId: string | null
  /** The address it was made for or mailed to; null: any, or none. */
  readonly email: string | null
  /** What the invited account becomes. */
  readonly role: Role
  /** The account that made it; null: not made by a signed-in account. */
  readonly createdBy: string | null
  readonly createdAt: number
  readonly expiresAt: number
  readonly usedAt: number | null
  /** The account that came of it. */
  readonly usedBy: string | null
}

/** What the account that an invitation opens begins with: given in the transaction that opens it, so once or not at all. */
export interface InvitationGift {
  /** Entered in the ledger under the name of the account that made the link; null: none. */
  readonly credit: NanoUsd | null
  /** A subscription to this plan, as it is by then; null: none. */
  readonly planId: string | null
  /** Closed groups that are open to it by name. */
  readonly openGroupIds: readonly string[]
}

export const NO_GIFT: InvitationGift = { credit: null, planId: null, openGroupIds: [] }

/** `verify` also carries a change of the address. */
export type SignInLinkPurpose = 'invitation' | 'reset' | 'verify' | 'set_up'

export interface SignInLinkStore {
  /** Returns false when there is one with this hash. */
  create(link: SignInLink, hash: string): Promise<boolean>
  /** Whether there is or was one, used or not. */
  isKnown(hash: string): Promise<boolean>
  /** The link, as long as it can still be used. */
  findOpen(hash: string, about: { purpose: SignInLinkPurpose; nowMs: number }): Promise<SignInLink | null>
  /** Uses it up. Of several callers at once, one gets it. */
  take(
    hash: string,
    about: { purpose: SignInLinkPurpose; nowMs: number; usedBy: string | null },
  ): Promise<SignInLink | null>
  /** Newest first. */
  list(purpose: SignInLinkPurpose, limit: number): Promise<readonly SignInLink[]>
  /** Withdraws an unused one. Returns false when there is none. */
  withdraw(id: string, purpose: SignInLinkPurpose): Promise<boolean>
  /** Withdraws the unused invitations for an address. */
  withdrawInvitationsFor(email: string): Promise<void>
  /** Deletes what is open for an account or its address, and takes the address out of all others. */
  forget(accountId: string, email: string): Promise<void>
  /** Takes back what is open for an account. */
  withdrawAllOf(accountId: string, purpose: SignInLinkPurpose): Promise<void>
}
