import { z } from '@hono/zod-openapi'
import { isProblemCode, type ProblemCode } from '../../../contract/problems.ts'
import { oidcStartBodySchema, oidcStartSchema } from '../../../contract/sign-in.ts'
import { confirmationNeeded, notSignedIn, Problem } from '../../api/problem.ts'
import { type Route, route } from '../../api/route.ts'
import { isSecureOrigin, PROVIDER_ID, sessionCookie } from '../../sign-in/authenticator/inner-names.ts'
import { forgetInvitation, invitationIn, keepInvitation } from '../../sign-in/oidc/invitation-cookie.ts'
import { takeReturn } from '../../sign-in/oidc/take-return.ts'
import { signedInBy } from '../../sign-in/session/begin-session.ts'
import { changing } from '../../sign-in/session/changing.ts'
import { isFresh } from '../../sign-in/session/freshness.ts'
import type { SignInRequest } from '../../sign-in/sign-in-request.ts'
import { signInRequest } from './sign-in-call.ts'

const START = '/console/'
const SIGN_IN = '/console/sign-in'
const ACCOUNT = '/console/account'

const start = route({
  method: 'post',
  path: '/api/auth/oidc/start',
  tag: 'Sign-in',
  summary: 'Begin signing in with the OIDC provider',
  description:
    'The browser then goes to `url`. With `purpose: "link"`, the provider is linked to the account of the session, which must be fresh.',
  who: 'anyone',
  body: oidcStartBodySchema,
  answer: oidcStartSchema,
  problems: ['oidc_not_configured', 'oidc_unavailable', 'credential_missing', 'confirmation_needed'],
  example: { body: { return_to: '/console/' } },
  async handle(call, parts) {
    const request = await signInRequest(call, parts)
    const { purpose = 'sign_in', return_to: returnTo = START, invitation } = call.body
    const isLink = purpose === 'link'
    if (isLink) requireFresh(request)
    const asked = await request.ask({
      method: 'POST',
      path: isLink ? '/link-social' : '/sign-in/social',
      body: {
        provider: PROVIDER_ID,
        callbackURL: returnTo,
        errorCallbackURL: isLink ? ACCOUNT : SIGN_IN,
        disableRedirect: true,
      },
      usesOidc: true,
    })
    request.setCookies([...asked.cookies, keepInvitation(request.origin, invitation ?? '')])
    return { url: String(asked.body['url']) }
  },
})

const callback = route({
  method: 'get',
  path: '/api/auth/callback/oidc',
  tag: 'Sign-in',
  summary: 'Return from the OIDC provider',
  description:
    'The provider sends the browser here; register this address there. The browser is sent on into the console; after a failure, to `/console/sign-in#error=<code>`.',
  who: 'anyone',
  query: z.looseObject({ code: z.string().optional(), state: z.string().optional() }),
  status: 302,
  async handle(call, parts) {
    const request = await signInRequest(call, parts)
    const query = new URLSearchParams(call.query as Record<string, string>)
    const location = await returned(request, query)
    request.setCookies([forgetInvitation(request.origin)])
    return new Response(null, { status: 302, headers: { location } })
  },
})

/** Signing in by an OIDC provider. */
export const oidcRoutes: readonly Route[] = [start, callback]

function requireFresh({ signedIn, parts }: SignInRequest): void {
  if (signedIn === null) throw notSignedIn()
  if (!isFresh(signedIn, parts.clock.now())) throw confirmationNeeded()
}

/** Where the browser goes on. Whatever fails, it ends in the console, which shows why. */
async function returned(request: SignInRequest, query: URLSearchParams): Promise<string> {
  const invitation = invitationIn(request)
  try {
    const wasGood = await takeReturn(request, query.get('state') ?? '')
    const asked = await request.ask({
      method: 'GET',
      path: `/callback/${PROVIDER_ID}?${query.toString()}`,
      beganBy: 'oidc',
      usesOidc: true,
      ...(invitation === '' ? {} : { invitation }),
    })
    await recordOutcome(request, asked.cookies)
    request.setCookies(asked.cookies)
    const page = destination(asked.location)
    if (!page.includes('#error=')) wasGood()
    return page
  } catch (error) {
    if (error instanceof Problem) return `${SIGN_IN}#error=${error.code}`
    request.parts.onError('the return from the OIDC provider failed', error)
    return `${SIGN_IN}#error=internal`
  }
}

/** The error goes into the fragment, which no log on the way sees. */
function destination(location: string | null): string {
  const url = URL.parse(location ?? '', 'http://console')
  const error = url?.searchParams.get('error') ?? null
  if (url === null || (error === null && !url.pathname.startsWith('/console/'))) return `${SIGN_IN}#error=oidc_failed`
  if (error === null) return url.pathname + url.search + url.hash
  const page = url.pathname === ACCOUNT ? ACCOUNT : SIGN_IN
  return `${page}#error=${codeOf(error)}`
}

/** The code for better-auth's one. */
function codeOf(error: string): ProblemCode {
  if (isProblemCode(error)) return error
  if (error === 'ACCOUNT_DISABLED') return 'account_disabled'
  return error === 'account_not_linked' ? 'oidc_not_linked' : 'oidc_failed'
}

async function recordOutcome(request: SignInRequest, cookies: readonly string[]): Promise<void> {
  const name = `${sessionCookie(isSecureOrigin(request.origin))}=`
  const line = cookies.find((cookie) => cookie.startsWith(name) && !cookie.startsWith(`${name};`))
  if (line === undefined) return
  // Signed as `token.signature`.
  const value = decodeURIComponent(line.slice(line.indexOf('=') + 1).split(';', 1)[0] ?? '')
  const signedIn = await signedInBy(request, value.slice(0, value.lastIndexOf('.')))
  await changing(request, (_, record) => record({ kind: 'signed_in', accountId: signedIn.account.id, detail: 'oidc' }))
}
