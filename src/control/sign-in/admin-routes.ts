import type { SignInLink } from '../../access/sign-in-link.ts'
import {
  invitationBodySchema,
  type InvitationList,
  type InvitationMade,
  type InvitationView,
} from '../../contract/sign-in.ts'
import { tell } from './session/begin-session.ts'
import { type Answer, type Call, done, type Route, route, signedInOf } from './call.ts'
import { linkOnWire, mailLink, makeLink } from './links/make-link.ts'
import { notFound, SignInRefusal } from './refusal.ts'

/** What admins do for others: invitations, and links that get somebody in again. */
export const ADMIN_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/invitations', access: 'admin', body: null, answer: list },
  route({
    method: 'POST',
    path: '/invitations',
    access: 'fresh_admin',
    body: invitationBodySchema,
    async answer(call) {
      const { parts, from, body } = call
      if ((await parts.registration()) === 'closed') {
        throw new SignInRefusal('registration_closed', 'Registration is closed: let it go by invitation first.')
      }
      const made = await makeLink(parts, {
        purpose: 'invitation',
        accountId: null,
        email: body.email,
        role: body.role,
        createdBy: signedInOf(call).account.id,
        origin: from.origin,
        ...(body.expires_in_hours === undefined ? {} : { expiresInMs: body.expires_in_hours * 3_600_000 }),
      })
      const wasMailed = await mailLink(parts, made, { email: body.email, language: null })
      tell(call, { kind: 'invitation_made', accountId: null, detail: made.link.id })
      const answer: InvitationMade = { invitation: onWire(made.link), link: linkOnWire(made, wasMailed) }
      return { status: 201, body: answer }
    },
  }),
  { method: 'DELETE', path: '/invitations/{id}', access: 'admin', body: null, answer: withdraw },
  {
    method: 'POST',
    path: '/accounts/{id}/reset-link',
    access: 'fresh_admin',
    body: null,
    answer: (call) => linkFor(call, 'reset'),
  },
  {
    method: 'POST',
    path: '/accounts/{id}/verification-link',
    access: 'fresh_admin',
    body: null,
    answer: (call) => linkFor(call, 'verify'),
  },
]

const INVITATIONS_SHOWN = 200

async function list(call: Call): Promise<Answer> {
  const links = await call.parts.links.list('invitation', INVITATIONS_SHOWN)
  const body: InvitationList = { data: links.map(onWire) }
  return { status: 200, body }
}

async function withdraw(call: Call): Promise<Answer> {
  if (!(await call.parts.links.withdraw(call.id, 'invitation'))) throw notFound('open invitation')
  tell(call, { kind: 'invitation_withdrawn', accountId: null, detail: call.id })
  return done()
}

/** For the admin to pass on; not mailed, since an admin asks for it where mail does not arrive. */
async function linkFor(call: Call, purpose: 'reset' | 'verify'): Promise<Answer> {
  const account = await call.parts.accounts.findById(call.id)
  if (account === null) throw notFound('account')
  const made = await makeLink(call.parts, {
    purpose,
    accountId: account.id,
    // Whoever opens a link that was handed over shows nothing about a mailbox; to verify is the admin's word for it.
    email: purpose === 'verify' ? account.email : null,
    createdBy: signedInOf(call).account.id,
    origin: call.from.origin,
  })
  tell(call, { kind: 'link_made', accountId: account.id, detail: purpose })
  return { status: 201, body: linkOnWire(made, false) }
}

function onWire(link: SignInLink): InvitationView {
  return {
    id: link.id,
    email: link.email,
    role: link.role,
    created_at: new Date(link.createdAt).toISOString(),
    expires_at: new Date(link.expiresAt).toISOString(),
    used_by: link.usedBy,
  }
}
