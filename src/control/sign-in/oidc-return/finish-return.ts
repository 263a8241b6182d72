import { equal } from '../../../access/sign-in-records.ts'
import type { ProblemCode } from '../../../contract/problems.ts'
import { beginSession } from '../session/sessions.ts'
import type { SignInRequest } from '../sign-in-request.ts'
import { accountOfPerson, linkPerson } from './account-of-person.ts'
import { invitationIn, type readState, STATE_LIVES_MS } from './sign-in-state.ts'
import { OidcFailure, providerWords } from '../oidc/oidc-failure.ts'
import type { OidcProvider } from '../oidc/oidc-provider.ts'
import { redirectUriAt } from '../oidc/oidc-settings.ts'
import { addressKey } from '../../../access/address-key.ts'

type ReturnState = NonNullable<ReturnType<typeof readState>>

/** Ends a sign-in that came back from the provider: a session, or a link to the account of this one. Throws OidcFailure, or Problem. */
export async function finishReturn(
  request: SignInRequest,
  {
    provider,
    state,
    query,
  }: { readonly provider: OidcProvider; readonly state: ReturnState; readonly query: URLSearchParams },
): Promise<void> {
  await spendState(request, state.secrets.state)
  const error = query.get('error')
  if (error !== null) throw sentBackWith(error, query.get('error_description') ?? '')
  const issuer = query.get('iss')
  if (issuer !== null) await provider.requireIssuer(issuer)
  const code = query.get('code') ?? ''
  if (code === '') throw new OidcFailure('oidc_failed', 'the OIDC provider sent the person back without a code')
  const person = await provider.personOf({ code, redirectUri: redirectUriAt(request.origin) }, state.secrets)
  if (state.linkTo !== null) return linkPerson(request, person, state.linkTo)
  const accountId = await accountOfPerson(request, person, invitationIn(request))
  await beginSession(request, { accountId, beganBy: 'oidc' })
}

/** Errors of RFC 6749, 4.1.2.1, and OpenID Connect Core 1.0, 3.1.2.6. */
const SENT_BACK: Readonly<Record<string, ProblemCode>> = {
  access_denied: 'oidc_denied',
  interaction_required: 'oidc_denied',
  login_required: 'oidc_denied',
  consent_required: 'oidc_denied',
  account_selection_required: 'oidc_denied',
  server_error: 'oidc_unavailable',
  temporarily_unavailable: 'oidc_unavailable',
  invalid_request: 'oidc_misconfigured',
  invalid_scope: 'oidc_misconfigured',
  unauthorized_client: 'oidc_misconfigured',
  unsupported_response_type: 'oidc_misconfigured',
}

function sentBackWith(error: string, description: string): OidcFailure {
  const code = Object.hasOwn(SENT_BACK, error) ? SENT_BACK[error] : undefined
  const words = providerWords(description)
  const named = providerWords(error)
  return new OidcFailure(
    code ?? 'oidc_failed',
    `the OIDC provider sent the person back with ${words === '' ? named : `${named} (${words})`}`,
  )
}

/**
 * Counts a return from the OIDC provider, which makes us ask the provider. Throws Problem. Returns what to call once the
 * return was a good one.
 */
export function countReturn({ parts, address }: SignInRequest): () => void {
  const key = addressKey(address)
  parts.throttles.returnByAddress.spend(key, 'Too many sign-ins from this address failed')
  return () => parts.throttles.returnByAddress.giveBack(key)
}

/**
 * Lets one of several returns with the same state go on, through whichever node they come: the state is the id of a row. With
 * the cookie and another code of the provider it would begin a second session. To be called for a state of ours alone, since
 * strangers must not write rows. Throws OidcFailure.
 */
async function spendState({ parts }: SignInRequest, state: string): Promise<void> {
  const { records, clock, hashes } = parts
  const nowMs = clock.now()
  await records.delete('verification', [{ field: 'expiresAt', is: '<', value: nowMs }])
  const id = `vrf_${hashes.link(`oidc state ${state}`)}`
  const times = { createdAt: nowMs, updatedAt: nowMs, expiresAt: nowMs + STATE_LIVES_MS }
  try {
    await records.insert('verification', { id, identifier: id, content: 'oidc state', ...times })
  } catch (error) {
    if ((await records.count('verification', equal({ id }))) === 0) throw error
    throw new OidcFailure('oidc_state_lost', 'this sign-in has already come back once')
  }
}
