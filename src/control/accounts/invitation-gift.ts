import type { InvitationGift } from '../../access/sign-in-link.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { formatUsd, type NanoUsd, nanoUsd, parseUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { ControlStores } from '../parts.ts'
import { fieldProblem } from '../problem.ts'
import { type Actor, requireRight } from '../who/actor.ts'
import { readOpenGroups } from './account-groups.ts'

interface SentGift {
  readonly credit: string | null
  readonly plan: string | null
  readonly open_groups: readonly string[]
}

/** Reads what an invitation is to give. Throws Problem: money and plans are given by those who may do so on any account. */
export async function readGift(
  { credit, plan, open_groups: groups }: SentGift,
  { actor, store }: { readonly actor: Actor; readonly store: Pick<ControlStores, 'plans' | 'groups'> },
): Promise<InvitationGift> {
  if (credit !== null) requireRight(actor, 'books', { field: 'credit' })
  if (plan !== null) requireRight(actor, 'books', { field: 'plan' })
  const { openGroupIds = [] } = await readOpenGroups(groups, store)
  return { credit: readCredit(credit), planId: await planIdOf(plan, store), openGroupIds }
}

/** What so many invitations give in all. Throws Problem where that is more than one call may give. */
export function totalCredit({ credit }: InvitationGift, count: number): NanoUsd {
  const total = nanoUsd((credit ?? ZERO_NANO_USD) * BigInt(count))
  const { most } = BOUNDS.invitation.credit
  if (total <= most) return total
  throw fieldProblem(
    'credit',
    `credit must add up to at most $${formatUsd(most)} over all invitations of a call; these are ${count}, with $${formatUsd(total)} in all.`,
  )
}

/** The id of the plan with this id or name. Throws Problem where there is none. */
export async function planIdOf(named: string | null, { plans }: Pick<ControlStores, 'plans'>): Promise<string | null> {
  if (named === null) return null
  const all = await plans.plans()
  const plan = all.find(({ id }) => id === named) ?? all.find(({ name }) => name === named)
  if (plan !== undefined) return plan.id
  throw fieldProblem('plan', 'plan must name a plan that exists: see GET /api/plans.')
}

function readCredit(sent: string | null): NanoUsd | null {
  if (sent === null) return null
  const credit = parseUsd(sent)
  if (credit === ZERO_NANO_USD) throw fieldProblem('credit', 'credit must be more than zero, or null.')
  return credit
}
