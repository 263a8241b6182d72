/** What the audit says of changes of accounts, whichever way they are made. */
import type { Account } from '../../access/account.ts'
import { type AuditNote, type Changes, changesBetween } from '../../access/audit.ts'
import { accountSettings } from '../views/account-view.ts'

/** A new account, without its address: the audit outlives the account, which has it until it is closed. */
export function accountCreated(account: Account): AuditNote {
  return of(account.id, 'account.create', changesBetween({}, accountSettings(account)))
}

/** `more`: what was changed beside its settings. */
export function accountUpdated(before: Account, after: Account, more: Changes = {}): AuditNote {
  const changes = changesBetween(accountSettings(before), accountSettings(after))
  return of(after.id, 'account.update', { ...changes, ...more })
}

/** How many access tokens went with a change; nothing where none did. */
export function tokensEnded(count: number): Changes {
  return count === 0 ? {} : { access_tokens: { before: count, after: 0 } }
}

/** A new password, of which there is nothing to show. */
export const NEW_PASSWORD: Changes = { password: { before: null, after: 'replaced' } }

/** `keys`, `subscriptions`: how many ended with it. */
export function accountClosed(
  id: string,
  { keys, subscriptions, accessTokens }: Readonly<Record<'keys' | 'subscriptions' | 'accessTokens', number>>,
): AuditNote {
  const ended = (before: number) => ({ before, after: 0 })
  return of(id, 'account.close', {
    keys: ended(keys),
    subscriptions: ended(subscriptions),
    ...tokensEnded(accessTokens),
  })
}

/** A one-time link by which someone signs in to the account or has its address verified; never the link. */
export function accountLinkMade(
  id: string,
  action: 'account.reset_link' | 'account.verification_link' | 'account.set_up_link',
): AuditNote {
  return of(id, action, {})
}

function of(id: string, action: AuditNote['action'], changes: Changes): AuditNote {
  return { action, subject: id, accountId: id, changes }
}
