import type { Account } from '../../../access/account.ts'
import { type InvitationGift, NO_GIFT, type SignInLink } from '../../../access/sign-in-link.ts'
import type { LinkMade, MailAnswer } from '../../../contract/sign-in.ts'
import { HOUR_MS } from '../../../core/durations.ts'
import { newId } from '../../../core/ids.ts'
import type { Role } from '../../../core/roles.ts'
import { mailText } from './mail-texts.ts'
import type { SignInParts } from '../parts.ts'
import { addressKey } from '../../../access/address-key.ts'
import type { SignInRequest } from '../sign-in-request.ts'

/** How long links work: long enough to be found in a mailbox or passed on by hand, and no longer. */
const LIVES_MS = {
  invitation: 7 * 24 * HOUR_MS,
  reset: 24 * HOUR_MS,
  verify: 3 * 24 * HOUR_MS,
} as const

const PAGES = { invitation: 'invitation', reset: 'reset-password', verify: 'verify-email' } as const

export interface LinkOrder {
  readonly purpose: keyof typeof LIVES_MS
  readonly accountId: string | null
  readonly email: string | null
  readonly role?: Role
  /** The admin who makes it for another; null: its reader asked for it. */
  readonly byAccountId: string | null
  readonly expiresInMs?: number
  /** What an invitation gives. */
  readonly gift?: InvitationGift
  /** scheme://host that the link leads to. */
  readonly origin: string
}

/** A link that was not handed out yet. Its token is in the fragment, which browsers send to no server. */
export interface MadeLink {
  readonly link: SignInLink
  readonly url: string
}

/** Makes a link. An earlier one to the same account for the same purpose stops working. */
export async function makeLink(parts: SignInParts, order: LinkOrder): Promise<MadeLink> {
  const nowMs = parts.clock.now()
  const { purpose, accountId, email, role = 'user', byAccountId } = order
  if (accountId !== null) await parts.links.withdrawAllOf(accountId, purpose)
  const token = parts.randomBytes(32).toString('base64url')
  const link: SignInLink = {
    id: newId('lnk', nowMs),
    purpose,
    accountId,
    email,
    role,
    createdBy: byAccountId,
    createdAt: nowMs,
    expiresAt: nowMs + (order.expiresInMs ?? LIVES_MS[purpose]),
    usedAt: null,
    usedBy: null,
    ...(order.gift ?? NO_GIFT),
  }
  await parts.links.create(link, parts.hashes.link(token))
  return { link, url: `${order.origin}/console/${PAGES[purpose]}#${token}` }
}

/** Mails a link, when there is a mail server and an address. False: an admin has to pass it on. */
export async function mailLink(
  parts: SignInParts,
  made: MadeLink,
  to: { readonly email: string | null; readonly language: 'en' | 'zh-CN' | null },
): Promise<boolean> {
  const { purpose, expiresAt } = made.link
  if (parts.mail === null || to.email === null || purpose === 'set_up') return false
  try {
    const text = mailText(to.language ?? 'en', { purpose, url: made.url, expiresAt })
    await parts.mail.send({ to: to.email, ...text })
    return true
  } catch (error) {
    parts.onError('a sign-in link could not be mailed', error)
    return false
  }
}

/** Makes a link that the owner of an account asked for, and mails it in the language of the owner. */
export async function mailOwnLink(
  { parts, origin }: SignInRequest,
  purpose: 'reset' | 'verify',
  { id, email }: Pick<Account, 'id' | 'email'>,
): Promise<void> {
  const made = await makeLink(parts, { purpose, accountId: id, email, byAccountId: null, origin })
  const own = await parts.accounts.findOwn(id)
  await mailLink(parts, made, { email, language: own?.profile.language ?? null })
}

export function linkOnWire({ link, url }: MadeLink, wasMailed: boolean): LinkMade {
  return { url, expires_at: new Date(link.expiresAt).toISOString(), was_mailed: wasMailed }
}

/** Counts an email that a request makes us send. Throws Problem when its address asked for too many. */
export function countMail({ parts, address }: SignInRequest): void {
  parts.throttles.mailByAddress.spend(addressKey(address), 'Too many emails were requested from this address')
}

/** How a link gets to its reader. */
export function howMailed({ mail }: SignInParts): MailAnswer {
  return { sent_by: mail === null ? 'admin' : 'mail' }
}
