import { HOUR_MS } from '../../core/durations.ts'
import { changesBetween } from '../../access/audit.ts'
import type { SignInLink } from '../../access/sign-in-link.ts'
import { invitationCreate, invitationMade, invitations, type InvitationView } from '../../contract/accounts.ts'
import { notFound, Problem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { readSettings } from '../settings/instance-settings.ts'
import { accountIdOf, requireGrantable } from '../who/actor.ts'

const route = routesOf('Administration')

const listInvitations = route('get /api/invitations', {
  summary: 'List the newest invitations',
  description: 'Without their links, which are shown once.',
  who: 'staff',
  answer: invitations,
  handle: async (_call, { signIn }) => ({ data: (await signIn.listInvitations()).map(invitationView) }),
})

const createInvitation = route('post /api/invitations', {
  summary: 'Invite a person to open an account',
  description: 'Mailed where there is an address and a mail server; else for you to pass on.',
  who: 'admin',
  limits: { needsConfirmation: true },
  body: invitationCreate,
  answer: invitationMade,
  status: 201,
  problems: ['conflict'],
  secretFields: ['url'],
  example: { body: { email: 'ada@example.com' } },
  async handle(call, { store, signIn }) {
    if ((await readSettings(store.settings)).registration === 'closed') {
      throw new Problem('conflict', 'Registration is closed: allow it by invitation first (PATCH /api/settings).')
    }
    const { email, role, expires_in_hours: hours } = call.body
    requireGrantable(call.actor, role)
    const order = {
      email,
      role,
      byAccountId: accountIdOf(call.actor),
      origin: call.origin,
      ...(hours === undefined ? {} : { expiresInMs: hours * HOUR_MS }),
    }
    const { invitation, deliver } = await call.change(async (stores, audit) => {
      const made = await signIn.createInvitation(order, stores)
      // Without the address: it stands in the invitation.
      const changes = changesBetween({}, { role })
      await audit({ action: 'invitation.create', subject: made.invitation.id, accountId: null, changes })
      return made
    })
    return { ...(await deliver()), invitation: invitationView(invitation) }
  },
})

const withdrawInvitation = route('delete /api/invitations/{id}', {
  summary: 'Withdraw an invitation that was not used yet',
  who: 'admin',
  async handle(call, { signIn }) {
    const { id } = call.params
    await call.change(async (stores, audit) => {
      if (!(await signIn.withdrawInvitation(id, stores))) throw notFound('open invitation')
      await audit({ action: 'invitation.withdraw', subject: id, accountId: null, changes: {} })
    })
  },
})

export const invitationRoutes: readonly ApiRoute[] = [listInvitations, createInvitation, withdrawInvitation]

function invitationView(link: SignInLink): InvitationView {
  return {
    id: link.id,
    email: link.email,
    role: link.role,
    created_at: timeOnWire(link.createdAt),
    expires_at: timeOnWire(link.expiresAt),
    used_by: link.usedBy,
  }
}
