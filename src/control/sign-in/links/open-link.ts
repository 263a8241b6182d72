import type { SignInLink, SignInLinkPurpose } from '../../../access/sign-in-link.ts'
import type { SignInParts } from '../parts.ts'
import { linkInvalid } from '../problems.ts'

/**
 * The link with this token, while it can be used; else null. A link grants what its maker may grant: once an admin was
 * demoted or disabled, the invitations and links for others that they made are worth nothing.
 */
export async function openLink(
  { accounts, clock, hashes, links }: Pick<SignInParts, 'accounts' | 'clock' | 'hashes' | 'links'>,
  purpose: SignInLinkPurpose,
  token: string,
): Promise<SignInLink | null> {
  const link = await links.findOpen(hashes.link(token), { purpose, nowMs: clock.now() })
  return link !== null && (await isMakerAdmin(accounts, link)) ? link : null
}

/** Whether the maker of a link may still make one; what no account made stays as it is. */
export async function isMakerAdmin(
  accounts: SignInParts['accounts'],
  { createdBy }: Pick<SignInLink, 'createdBy'>,
): Promise<boolean> {
  if (createdBy === null) return true
  const maker = await accounts.findById(createdBy)
  return maker?.role === 'admin' && maker.status === 'active'
}

/** The link with this token; throws Problem where none can be used. */
export async function usableLink(parts: SignInParts, purpose: 'reset' | 'verify', token: string): Promise<SignInLink> {
  const link = await openLink(parts, purpose, token)
  if (link === null) throw linkInvalid()
  return link
}

/**
 * Uses a link up, and with it every other one to the same account for the same purpose: several may have been asked for at
 * one instant. To be called within `changing`. Throws Problem when another request was first.
 */
export async function takeLink(
  { links, hashes, clock }: SignInParts,
  purpose: 'reset' | 'verify',
  token: string,
): Promise<SignInLink> {
  const taken = await links.take(hashes.link(token), { purpose, nowMs: clock.now(), usedBy: null })
  if (taken === null) throw linkInvalid()
  if (taken.accountId !== null) await links.withdrawAllOf(taken.accountId, purpose)
  return taken
}
