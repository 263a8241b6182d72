import type { z } from '@hono/zod-openapi'
import { HOUR_MS } from '../../core/durations.ts'
import { formatUsd } from '../../core/money.ts'
import { type AuditNote, changesBetween } from '../../access/audit.ts'
import type { InvitationGift } from '../../access/sign-in-link.ts'
import {
  invitationCreate,
  invitationMade,
  invitations,
  invitationsCreate,
  invitationsMade,
} from '../../contract/accounts.ts'
import { readGift, planIdOf, totalCredit } from '../accounts/invitation-gift.ts'
import { addressesIn } from '../accounts/invited-addresses.ts'
import { notFound, Problem } from '../problem.ts'
import { type ApiCall, type ApiRoute, routesOf } from '../api/route.ts'
import type { ChangeableStores } from '../changeable-stores.ts'
import type { ControlParts } from '../parts.ts'
import { readSettings } from '../settings/instance-settings.ts'
import { type InvitationNames, invitationView, namesForInvitations } from '../views/invitation-view.ts'
import { accountIdOf, requireGrantable } from '../who/actor.ts'

const route = routesOf('Administration')

const listInvitations = route('get /api/invitations', {
  summary: 'List the newest invitations',
  description: 'Without their links, which are shown once.',
  who: 'staff',
  answer: invitations,
  async handle(_call, { signIn, store }) {
    const links = await signIn.listInvitations()
    const names = await namesForInvitations(links, store)
    return { data: links.map((link) => invitationView(link, names)) }
  },
})

const createInvitation = route('post /api/invitations', {
  summary: 'Invite a person to open an account',
  description:
    'Mailed where there is an address and a mail server; else for you to pass on. What it gives (`credit`, `plan`, `open_groups`) is given with the account: once, or not at all.',
  who: 'admin',
  limits: { needsConfirmation: true },
  body: invitationCreate,
  answer: invitationMade,
  status: 201,
  problems: ['conflict', 'role_insufficient'],
  secretFields: ['url'],
  example: { body: { email: 'ada@example.com', credit: '10' } },
  async handle(call, parts) {
    const terms = await readTerms(call, call.body, parts)
    totalCredit(terms.gift, 1)
    const { invitation, deliver } = await call.change(async (stores, audit) => {
      await requirePlan(terms, stores)
      return invited(call.body.email, { terms, stores, audit, parts })
    })
    const names = await namesForInvitations([invitation], parts.store)
    return { ...(await deliver()), invitation: invitationView(invitation, names) }
  },
})

const createInvitations = route('post /api/invitations/batch', {
  summary: 'Invite many people at once, on the same terms',
  description:
    'Each address gets an invitation of its own, which it alone may use. An address that cannot be read, is repeated or has an account gets none, and its row says why. All invitations are made, or none.',
  who: 'admin',
  limits: { needsConfirmation: true },
  body: invitationsCreate,
  answer: invitationsMade,
  status: 201,
  problems: ['conflict', 'role_insufficient'],
  secretFields: ['urls'],
  example: { body: { emails: ['ada@example.com', 'grace@example.com'], credit: '10' } },
  async handle(call, parts) {
    const terms = await readTerms(call, call.body, parts)
    const lines = await addressesIn(call.body.emails, parts.store)
    const total = totalCredit(terms.gift, lines.filter(({ problem }) => problem === null).length)
    const made = await call.change(async (stores, audit) => {
      await requirePlan(terms, stores)
      const all: (Awaited<ReturnType<typeof invited>> | null)[] = []
      for (const { email, problem } of lines) {
        all.push(problem === null ? await invited(email, { terms, stores, audit, parts }) : null)
      }
      return all
    })
    const delivered = await deliverAll(made.map((each) => each?.deliver ?? null))
    const links = made.flatMap((each) => each?.invitation ?? [])
    const names = await namesForInvitations(links, parts.store)
    return {
      urls: delivered.map((link) => link?.url ?? null),
      data: lines.map(({ email, problem }, index) => ({
        email,
        problem,
        was_mailed: delivered[index]?.was_mailed ?? false,
        invitation: viewOrNull(made[index]?.invitation, names),
      })),
      total: formatUsd(total),
    }
  },
})

const withdrawInvitation = route('delete /api/invitations/{id}', {
  summary: 'Withdraw an invitation that was not used yet',
  description: 'Its link stops working, and nothing of what it was to give is given.',
  who: 'admin',
  async handle(call, { signIn }) {
    const { id } = call.params
    await call.change(async (stores, audit) => {
      if (!(await signIn.withdrawInvitation(id, stores))) throw notFound('open invitation')
      await audit({ action: 'invitation.withdraw', subject: id, accountId: null, changes: {} })
    })
  },
})

export const invitationRoutes: readonly ApiRoute[] = [
  listInvitations,
  createInvitation,
  createInvitations,
  withdrawInvitation,
]

type SentTerms = Omit<z.output<typeof invitationsCreate>, 'emails'>

interface InvitationTerms {
  readonly order: Omit<Parameters<ControlParts['signIn']['createInvitation']>[0], 'email'>
  readonly gift: InvitationGift
  /** What the audit says of each. */
  readonly granted: Readonly<Record<string, unknown>>
}

/** What invitations are made on. Throws Problem for what may not be given, and where registration is closed. */
async function readTerms(
  call: Pick<ApiCall<'admin'>, 'actor' | 'origin'>,
  sent: SentTerms,
  { store }: Pick<ControlParts, 'store'>,
): Promise<InvitationTerms> {
  if ((await readSettings(store.settings)).registration === 'closed') {
    throw new Problem('conflict', 'Registration is closed: allow it by invitation first (PATCH /api/settings).')
  }
  const { role, expires_in_hours: hours, credit, plan, open_groups: groups } = sent
  requireGrantable(call.actor, role)
  const gift = await readGift(sent, { actor: call.actor, store })
  const plans = plan === null ? [] : await store.plans.plans()
  return {
    gift,
    order: {
      role,
      byAccountId: accountIdOf(call.actor),
      origin: call.origin,
      gift,
      ...(hours === undefined ? {} : { expiresInMs: hours * HOUR_MS }),
    },
    granted: {
      role,
      ...(credit === null || gift.credit === null ? {} : { credit: formatUsd(gift.credit) }),
      ...(plan === null ? {} : { plan: plans.find(({ id }) => id === gift.planId)?.name ?? plan }),
      ...(groups.length === 0 ? {} : { open_groups: groups }),
    },
  }
}

interface Making {
  readonly terms: InvitationTerms
  readonly stores: ChangeableStores
  readonly audit: (note: AuditNote) => Promise<void>
  readonly parts: Pick<ControlParts, 'signIn'>
}

/** Looks once more within the transaction: a plan that is deleted at this instant would be promised and not be there. */
async function requirePlan({ gift }: InvitationTerms, stores: ChangeableStores): Promise<void> {
  await planIdOf(gift.planId, stores)
}

/** Makes one invitation with its audit entry, within a transaction. `email` null: for anyone who has the link. */
async function invited(email: string | null, { terms, stores, audit, parts }: Making) {
  const made = await parts.signIn.createInvitation({ ...terms.order, email }, stores)
  // Without the address: it stands in the invitation.
  const changes = changesBetween({}, terms.granted)
  await audit({ action: 'invitation.create', subject: made.invitation.id, accountId: null, changes })
  return made
}

type Deliver = Awaited<ReturnType<ControlParts['signIn']['createInvitation']>>['deliver']

/** So many mails are sent at a time. */
const MAILS_AT_ONCE = 5

async function deliverAll(all: readonly (Deliver | null)[]) {
  const links: (Awaited<ReturnType<Deliver>> | null)[] = []
  for (let from = 0; from < all.length; from += MAILS_AT_ONCE) {
    const some = all.slice(from, from + MAILS_AT_ONCE)
    links.push(...(await Promise.all(some.map(async (deliver) => (await deliver?.()) ?? null))))
  }
  return links
}

function viewOrNull(link: Parameters<typeof invitationView>[0] | undefined, names: InvitationNames) {
  return link === undefined ? null : invitationView(link, names)
}
