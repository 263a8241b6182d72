import { equal, OIDC_PROVIDER } from '../../../access/sign-in-records.ts'
import type { SignInLink } from '../../../access/sign-in-link.ts'
import { newId } from '../../../core/ids.ts'
import { giveInvited, takeInvitation } from '../links/accept-invitation.ts'
import { openLink } from '../links/open-link.ts'
import type { SignInParts, SignInStores } from '../parts.ts'
import { changing } from '../changing.ts'
import type { SignInRequest } from '../sign-in-request.ts'
import { OidcFailure } from '../oidc/oidc-failure.ts'
import type { Person } from '../oidc/person.ts'

/**
 * The account that a person of the OIDC provider signs in to: the one that is linked, else the one with the same address,
 * else a new one as registration permits. `invitation`: the token of one; empty: none. Throws OidcFailure.
 */
export async function accountOfPerson(request: SignInRequest, person: Person, invitation: string): Promise<string> {
  const { parts } = request
  const linked = await linkedAccount(parts, person)
  if (linked !== null) return linked
  try {
    const own = person.email === null ? null : await parts.accounts.findByEmail(person.email)
    if (own === null) return await openAccount(request, person, invitation)
    const known = await parts.accounts.findOwn(own.id)
    const isOwnVerified = known?.profile.isEmailVerified === true
    if (person.isEmailProven && isOwnVerified) return await link(request, person, own.id)
    const whose = isOwnVerified ? PROVIDER_UNPROVEN : 'it is not verified here'
    throw new OidcFailure('oidc_not_linked', `there is an account with the address of this person, and ${whose}`)
  } catch (error) {
    // Two first sign-ins of one person at one instant: the other was faster.
    const now = await linkedAccount(parts, person)
    if (now !== null) return now
    throw error
  }
}

/**
 * Links a person to the account of the session, which asked for it: whatever the provider says of the address, which stays as
 * it is here. Throws OidcFailure.
 */
export async function linkPerson(request: SignInRequest, person: Person, accountId: string): Promise<void> {
  if (request.signedIn?.account.id !== accountId) {
    throw new OidcFailure('oidc_state_lost', 'the session that began to link the provider has ended')
  }
  const linked = await linkedAccount(request.parts, person)
  if (linked === accountId) return
  if (linked !== null) throw linkedElsewhere()
  try {
    await link(request, person, accountId)
  } catch (error) {
    if ((await linkedAccount(request.parts, person)) === null) throw error
    throw linkedElsewhere()
  }
}

const PROVIDER_UNPROVEN =
  'the OIDC provider does not call it verified (email_verified): verify it there, or set TOLLGATE_OIDC_TRUST_EMAIL if all addresses there are right'

function linkedElsewhere(): OidcFailure {
  return new OidcFailure('oidc_linked_elsewhere', 'this person of the OIDC provider is linked to another account')
}

async function linkedAccount({ records }: SignInParts, { subject }: Person): Promise<string | null> {
  const [identity] = await records.select('identity', { where: equal({ provider: OIDC_PROVIDER, subject }), limit: 1 })
  return identity === undefined ? null : String(identity['accountId'])
}

async function link(request: SignInRequest, person: Person, accountId: string): Promise<string> {
  await changing(request, async (inside, record) => {
    await insertIdentity(inside, request, { person, accountId })
    await record({ kind: 'identity_linked', accountId })
  })
  return accountId
}

async function insertIdentity(
  { records }: Pick<SignInStores, 'records'>,
  { parts }: SignInRequest,
  { person, accountId }: { readonly person: Person; readonly accountId: string },
): Promise<void> {
  const nowMs = parts.clock.now()
  const times = { createdAt: nowMs, updatedAt: nowMs }
  const id = newId('idn', nowMs)
  await records.insert('identity', { id, provider: OIDC_PROVIDER, subject: person.subject, accountId, ...times })
}

async function openAccount(request: SignInRequest, person: Person, token: string): Promise<string> {
  const { parts } = request
  const registration = await parts.registration()
  if (registration === 'closed') throw new OidcFailure('registration_closed', 'registration is closed')
  const invitation = token === '' ? null : usable(await openLink(parts, 'invitation', token), person)
  if (invitation === null && registration !== 'open') {
    throw new OidcFailure('invitation_needed', 'registration takes an invitation for the address of this person')
  }
  const email = addressFor(person, invitation)
  const nowMs = parts.clock.now()
  const id = newId('acc', nowMs)
  const role = invitation?.role ?? 'user'
  const account = { id, email, role, status: 'active', createdAt: nowMs, isManaged: false } as const
  await changing(request, async (inside, record) => {
    const used = invitation === null ? null : await takeInvitation(inside, token, account)
    if (invitation !== null && used === null) {
      throw new OidcFailure('invitation_needed', 'the invitation was used by another at this instant')
    }
    const profile = { name: person.name, isEmailVerified: true }
    if (!(await inside.accounts.create({ ...account, ...used?.opens }, null, profile))) {
      throw new OidcFailure('oidc_not_linked', 'an account with the address was opened before this one')
    }
    const changes = used === null ? {} : await giveInvited(inside, used, account)
    await record({ kind: 'account_created', accountId: id, detail: 'oidc', changes })
    await insertIdentity(inside, request, { person, accountId: id })
    await record({ kind: 'identity_linked', accountId: id })
  })
  return id
}

/** null: it is for another person. */
function usable(invitation: SignInLink | null, { email }: Person): SignInLink | null {
  const isMeant = invitation?.email == null || email === null || isAlike(invitation.email, email)
  return isMeant ? invitation : null
}

/** An address that is the person's own: by the provider, or by the invitation, which was made for it. */
function addressFor({ email, isEmailProven }: Person, invitation: SignInLink | null): string {
  if (invitation?.email != null) return invitation.email.toLowerCase()
  if (email === null) {
    throw new OidcFailure(
      'oidc_email_missing',
      'the OIDC provider names no address of this person (email): let it send the claim, or invite the person by address',
    )
  }
  if (isEmailProven) return email.toLowerCase()
  throw new OidcFailure(
    'oidc_email_unverified',
    `there is no account with the address of this person, and ${PROVIDER_UNPROVEN}`,
  )
}

function isAlike(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
