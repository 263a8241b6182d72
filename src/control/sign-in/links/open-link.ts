import type { SignInLink, SignInLinkPurpose } from '../../../access/sign-in-link.ts'
import type { SignInParts } from '../parts.ts'

/**
 * The link with this token, while it can be used; else null. A link is worth what its maker may grant: with an admin who was
 * lowered or disabled, the invitations and links for others that they made are worth nothing.
 */
export async function openLink(
  { accounts, clock, hashes, links }: Pick<SignInParts, 'accounts' | 'clock' | 'hashes' | 'links'>,
  purpose: SignInLinkPurpose,
  token: string,
): Promise<SignInLink | null> {
  const link = await links.findOpen(hashes.link(token), { purpose, nowMs: clock.now() })
  if (link === null || link.createdBy === null) return link
  const maker = await accounts.findById(link.createdBy)
  return maker?.role === 'admin' && maker.status === 'active' ? link : null
}
