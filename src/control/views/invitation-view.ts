import type { SignInLink } from '../../access/sign-in-link.ts'
import type { InvitationView } from '../../contract/accounts.ts'
import { formatUsd } from '../../core/money.ts'
import type { Plan } from '../../metering/funds/plan.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import type { ControlStores } from '../parts.ts'

/** What invitations name by ids. */
export interface InvitationNames {
  readonly emails: ReadonlyMap<string, string>
  readonly plans: ReadonlyMap<string, Plan>
  readonly groups: ReadonlyMap<string, string>
}

export async function namesForInvitations(
  links: readonly SignInLink[],
  { accounts, plans, groups }: Pick<ControlStores, 'accounts' | 'plans' | 'groups'>,
): Promise<InvitationNames> {
  const [emails, allPlans, allGroups] = await Promise.all([
    accounts.emails(links.flatMap(({ createdBy }) => createdBy ?? [])),
    links.some(({ planId }) => planId !== null) ? plans.plans() : [],
    links.some(({ openGroupIds }) => openGroupIds.length > 0) ? groups.groups() : [],
  ])
  return {
    emails,
    plans: new Map(allPlans.map((plan) => [plan.id, plan])),
    groups: new Map(allGroups.map(({ id, name }) => [id, name])),
  }
}

/** A plan that was deleted since is named by its id. */
export function invitationView(link: SignInLink, { emails, plans, groups }: InvitationNames): InvitationView {
  const { planId } = link
  const plan = planId === null ? undefined : plans.get(planId)
  return {
    id: link.id,
    email: link.email,
    role: link.role,
    created_at: timeOnWire(link.createdAt),
    expires_at: timeOnWire(link.expiresAt),
    used_by: link.usedBy,
    invited_by: emails.get(link.createdBy ?? '') ?? null,
    credit: link.credit === null ? null : formatUsd(link.credit),
    plan: planId === null ? null : { id: planId, name: plan?.name ?? planId, days: plan?.days ?? 0 },
    open_groups: link.openGroupIds.flatMap((id) => groups.get(id) ?? []),
  }
}
