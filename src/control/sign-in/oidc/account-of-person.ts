import { APIError } from 'better-auth/api'
import { newId } from '../../../core/ids.ts'
import type { Role } from '../../../core/roles.ts'
import { openLink } from '../links/open-link.ts'
import type { SignInParts } from '../parts.ts'

/**
 * Whether a person who comes from the OIDC provider for the first time gets an account, and with which id and role. Throws
 * what better-auth passes on as the code of the redirect.
 */
export async function admitNewUser(
  parts: SignInParts,
  person: { readonly email: string; readonly isEmailVerified: boolean; readonly invitation: string | null },
): Promise<{ readonly id: string; readonly role: Role }> {
  if (!person.isEmailVerified) throw refusal('oidc_email_unverified')
  const registration = await parts.registration()
  const nowMs = parts.clock.now()
  const id = newId('acc', nowMs)
  if (person.invitation !== null && registration !== 'closed') {
    const hash = parts.hashes.link(person.invitation)
    const open = await openLink(parts, 'invitation', person.invitation)
    const isMeant = open !== null && (open.email === null || open.email.toLowerCase() === person.email.toLowerCase())
    const taken = isMeant ? await parts.links.take(hash, { purpose: 'invitation', nowMs, usedBy: id }) : null
    if (taken !== null) return { id, role: taken.role }
  }
  if (registration === 'open') return { id, role: 'user' }
  throw refusal(registration === 'closed' ? 'registration_closed' : 'invitation_needed')
}

function refusal(code: string): APIError {
  return new APIError('FORBIDDEN', { code, message: code })
}
