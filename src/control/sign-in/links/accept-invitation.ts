import type { Account } from '../../../access/account.ts'
import { type Changes, changesBetween } from '../../../access/audit.ts'
import type { SignInLink } from '../../../access/sign-in-link.ts'
import { subscriptionTo } from '../../../access/subscription.ts'
import { newId } from '../../../core/ids.ts'
import { invariant } from '../../../core/invariant.ts'
import { formatUsd } from '../../../core/money.ts'
import type { Plan } from '../../../metering/funds/plan.ts'
import { Problem } from '../../problem.ts'
import type { SignInParts, SignInStores } from '../parts.ts'
import { isMakerAdmin } from './open-link.ts'

/** An invitation that was just used up, with what it gives as that is now. */
export interface UsedInvitation {
  readonly link: SignInLink
  readonly plan: Plan | null
  /** The groups that still exist, as the new account has them. */
  readonly opens: Pick<Account, 'openGroupIds'>
}

type NewAccount = Pick<Account, 'id' | 'createdAt'>

/**
 * Uses an invitation up for an account that is about to be opened. To be called within `changing`, before the account is
 * created. null: another was first, or it was withdrawn, has expired, or is of one who may not invite any more.
 */
export async function takeInvitation(
  inside: SignInParts,
  token: string,
  { id, createdAt: nowMs }: NewAccount,
): Promise<UsedInvitation | null> {
  const about = { purpose: 'invitation', nowMs, usedBy: id } as const
  const link = await inside.links.take(inside.hashes.link(token), about)
  // The look before the transaction was at another moment: its maker may have lost the role since.
  if (link === null || !(await isMakerAdmin(inside.accounts, link))) return null
  const plan = await giftPlan(inside, link)
  return { link, plan, opens: await groupsThatExist(inside, link) }
}

/**
 * Gives a new account what its invitation promised, and makes other invitations for its address worthless. To be called in
 * the transaction that took the invitation and created the account. Returns what the audit says of it.
 */
export async function giveInvited(
  inside: SignInParts,
  { link, plan, opens }: UsedInvitation,
  { id: accountId, createdAt: nowMs }: NewAccount,
): Promise<Changes> {
  const { credit, createdBy, email } = link
  if (credit !== null) {
    const posted = await inside.ledger.post({
      id: newId('led', nowMs),
      accountId,
      createdAt: nowMs,
      kind: 'grant',
      amount: credit,
      reason: 'opening credit of an invitation',
      actor: createdBy ?? 'admin_token',
      once: `invitation:${link.id}`,
    })
    invariant(posted.kind === 'posted', `the opening credit of ${link.id} was entered`)
  }
  if (plan !== null) {
    const opened = await inside.subscriptions.open(subscriptionTo(plan, { id: newId('sub', nowMs), accountId, nowMs }))
    invariant(opened !== null, `the plan of ${link.id} was opened`)
  }
  if (email !== null) await inside.links.withdrawInvitationsFor(email)
  const given = {
    ...(credit === null ? {} : { credit: formatUsd(credit) }),
    ...(plan === null ? {} : { plan: plan.name }),
    ...(opens.openGroupIds === undefined ? {} : { open_groups: await groupNames(inside, opens.openGroupIds) }),
  }
  return changesBetween({}, { ...given, invited_by: createdBy ?? 'admin_token' })
}

/** The plan that an invitation gives, as it is now; null: it gives none. Throws Problem where the plan is gone. */
export async function giftPlan({ plans }: Pick<SignInStores, 'plans'>, { planId }: SignInLink): Promise<Plan | null> {
  if (planId === null) return null
  const plan = (await plans.plans()).find(({ id }) => id === planId)
  if (plan !== undefined) return plan
  throw new Problem('link_invalid', 'The plan of this invitation no longer exists. Ask who invited you for a new link.')
}

async function groupsThatExist(
  { groups }: Pick<SignInStores, 'groups'>,
  { openGroupIds }: SignInLink,
): Promise<UsedInvitation['opens']> {
  if (openGroupIds.length === 0) return {}
  const known = new Set((await groups.groups()).map(({ id }) => id))
  const ids = openGroupIds.filter((id) => known.has(id))
  return ids.length === 0 ? {} : { openGroupIds: ids }
}

async function groupNames(
  { groups }: Pick<SignInStores, 'groups'>,
  ids: readonly string[],
): Promise<readonly string[]> {
  return (await groups.groups()).filter(({ id }) => ids.includes(id)).map(({ name }) => name)
}
