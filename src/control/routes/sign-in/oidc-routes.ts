import { z } from '@hono/zod-openapi'
import type { ProblemCode } from '../../../contract/problems.ts'
import { oidcStartBodySchema, oidcStartSchema } from '../../../contract/sign-in.ts'
import { sitePathOf } from '../../../core/site-path.ts'
import { confirmationNeeded, notSignedIn, Problem } from '../../problem.ts'
import { type ApiRoute, routesOf } from '../../api/route.ts'
import { countReturn, finishReturn } from '../../sign-in/oidc-return/finish-return.ts'
import { redirectUriAt } from '../../sign-in/oidc/oidc-settings.ts'
import { OidcFailure } from '../../sign-in/oidc/oidc-failure.ts'
import type { OidcProvider } from '../../sign-in/oidc/oidc-provider.ts'
import { beginState, forgetState, keepInvitation, readState } from '../../sign-in/oidc-return/sign-in-state.ts'
import { isFresh } from '../../sign-in/session/freshness.ts'
import type { SignInRequest } from '../../sign-in/sign-in-request.ts'
import { requireSameHost } from '../../sign-in/session/own-address.ts'
import { beginningRequest, signInRequest } from './sign-in-call.ts'

const route = routesOf('Sign-in')

const START = '/console/'
const SIGN_IN = '/console/sign-in'
const ACCOUNT = '/console/account'

const start = route('post /api/auth/oidc/start', {
  summary: 'Begin signing in with the OIDC provider',
  description:
    'The browser then goes to `url`. With `purpose: "link"`, the provider is linked to the account of the session, which must be fresh, whatever address the provider knows of the person; the account keeps its own.',
  who: 'anyone',
  body: oidcStartBodySchema,
  answer: oidcStartSchema,
  problems: ['oidc_not_configured', 'oidc_unavailable', 'credential_missing', 'confirmation_needed', 'sign_in_address'],
  example: { body: { return_to: '/console/' } },
  async handle(call, parts) {
    const request = await beginningRequest(call, parts)
    requireSameHost(request)
    const { purpose = 'sign_in', return_to: returnTo = START, invitation } = call.body
    const linkTo = purpose === 'link' ? freshAccount(request) : null
    const provider = providerOf(request)
    const { secrets, cookie } = beginState(request, { returnTo, linkTo }, START)
    const url = await provider.signInUrl(secrets, redirectUriAt(request.origin))
    request.setCookies([cookie, keepInvitation(request.origin, invitation ?? '')])
    return { url }
  },
})

const callback = route('get /api/auth/callback/oidc', {
  summary: 'Return from the OIDC provider',
  description:
    'The provider sends the browser here; register this address there. The browser is sent on into the console; after a failure, to `/console/sign-in#error=<code>` (or `/console/account#error=<code>` when it was to be linked). The log has the cause.',
  who: 'anyone',
  query: z.looseObject({ code: z.string().optional(), state: z.string().optional() }),
  status: 302,
  async handle(call, parts) {
    const request = await signInRequest(call, parts)
    const query = new URLSearchParams(call.query as Record<string, string>)
    const location = await returned(request, query)
    request.setCookies([forgetState(request.origin), keepInvitation(request.origin, '')])
    return new Response(null, { status: 302, headers: { location: sitePathOf(request.origin) + location } })
  },
})

/** Signing in by an OIDC provider. */
export const oidcRoutes: readonly ApiRoute[] = [start, callback]

function providerOf({ oidcProvider }: SignInRequest): OidcProvider {
  if (oidcProvider !== null) return oidcProvider
  throw new Problem('oidc_not_configured', 'Single sign-on is not set up: an admin can configure an OIDC provider.')
}

function freshAccount({ signedIn, parts }: SignInRequest): string {
  if (signedIn === null) throw notSignedIn()
  if (!isFresh(signedIn, parts.clock.now())) throw confirmationNeeded()
  return signedIn.account.id
}

/** Where the browser goes on. Whatever fails, it ends in the console, which shows why: the fragment is in no log on the way. */
async function returned(request: SignInRequest, query: URLSearchParams): Promise<string> {
  const state = readState(request, query.get('state') ?? '')
  const page = state?.linkTo == null ? SIGN_IN : accountPage(state.returnTo)
  try {
    const wasGood = countReturn(request)
    const provider = providerOf(request)
    if (state === null) {
      throw new OidcFailure('oidc_state_lost', 'a return that this browser did not begin, or more than ten minutes ago')
    }
    await finishReturn(request, { provider, state, query })
    wasGood()
    return state.returnTo
  } catch (error) {
    return `${page}#error=${failed(request, error)}`
  }
}

/** Where the provider is linked; the console shows there why it was not. */
function accountPage(returnTo: string): string {
  const [page = ''] = returnTo.split('#', 1)
  return page === ACCOUNT || page.startsWith(`${ACCOUNT}?`) ? page : ACCOUNT
}

function failed({ parts }: SignInRequest, error: unknown): ProblemCode {
  if (error instanceof OidcFailure || error instanceof Problem) {
    // Past the limit on returns there is no line for each.
    if (error.code !== 'too_many_requests') {
      parts.onRefusal(`sign-in by the OIDC provider failed (${error.code}): ${error.message}`)
    }
    return error.code
  }
  parts.onError('the return from the OIDC provider failed', error)
  return 'internal'
}
