import { type OidcStart, oidcStartBodySchema, SIGN_IN_CODES, type SignInCode } from '../../../contract/sign-in.ts'
import { signedInBy, tell } from '../../sign-in/session/begin-session.ts'
import { type Answer, type Call, type Route, route, signedInOf } from '../../sign-in/call.ts'
import { PROVIDER_ID } from '../../sign-in/authenticator/inner-names.ts'
import { isFresh } from '../../sign-in/session/freshness.ts'
import { confirmationNeeded, SignInRefusal } from '../../sign-in/refusal.ts'

/** Signing in by an OIDC provider. The operator registers `{origin}/api/auth/callback/oidc` there. */
export const OIDC_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: '/oidc/start',
    access: 'anyone',
    body: oidcStartBodySchema,
    async answer(call) {
      const { purpose = 'sign_in', return_to: returnTo = START, invitation } = call.body
      const isLink = purpose === 'link'
      if (isLink && !isFresh(signedInOf(call), call.parts.clock.now())) throw confirmationNeeded()
      const asked = await call.ask({
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
      const body: OidcStart = { url: String(asked.body['url']) }
      return { status: 200, body, cookies: [...asked.cookies, invitationCookie(call, invitation ?? '')] }
    },
  }),
  { method: 'GET', path: '/callback/oidc', access: 'anyone', body: null, answer: callback },
]

const START = '/console/'
const SIGN_IN = '/console/sign-in'
const ACCOUNT = '/console/account'

/** The provider sends the browser here. Whatever went wrong, the person ends in the console and is told there. */
async function callback(call: Call): Promise<Answer> {
  const query = new URL(call.request.url).search
  const invitation = invitationIn(call)
  const forgotten = invitationCookie(call, '')
  try {
    const asked = await call.ask({
      method: 'GET',
      path: `/callback/${PROVIDER_ID}${query}`,
      beganBy: 'oidc',
      usesOidc: true,
      ...(invitation === '' ? {} : { invitation }),
    })
    await tellOutcome(call, asked.cookies)
    return { status: 302, redirect: destination(asked.location), cookies: [...asked.cookies, forgotten] }
  } catch (error) {
    if (!(error instanceof SignInRefusal)) throw error
    return { status: 302, redirect: `${SIGN_IN}#error=${error.code}`, cookies: [forgotten] }
  }
}

/** The error goes into the fragment: it is for the page, not for logs on the way. */
function destination(location: string | null): string {
  const url = URL.parse(location ?? '', 'http://console')
  const error = url?.searchParams.get('error') ?? null
  if (url === null || (error === null && !url.pathname.startsWith('/console/'))) return `${SIGN_IN}#error=oidc_failed`
  if (error === null) return url.pathname + url.search + url.hash
  const page = url.pathname === ACCOUNT ? ACCOUNT : SIGN_IN
  return `${page}#error=${codeOf(error)}`
}

/** better-auth's words for it. */
function codeOf(error: string): SignInCode {
  if (Object.hasOwn(SIGN_IN_CODES, error)) return error as SignInCode
  if (error === 'ACCOUNT_DISABLED') return 'account_disabled'
  return error === 'account_not_linked' ? 'oidc_not_linked' : 'oidc_failed'
}

async function tellOutcome(call: Call, cookies: readonly string[]): Promise<void> {
  const line = cookies.find((cookie) => /^(?:__Secure-)?tollgate\.session_token=[^;]/.test(cookie))
  if (line === undefined) {
    if (call.signedIn !== null) tell(call, { kind: 'identity_linked', accountId: call.signedIn.account.id })
    return
  }
  // Signed as `token.signature`.
  const value = decodeURIComponent(line.slice(line.indexOf('=') + 1).split(';', 1)[0] ?? '')
  const signedIn = await signedInBy(call, value.slice(0, value.lastIndexOf('.')))
  tell(call, { kind: 'signed_in', accountId: signedIn.account.id, detail: 'oidc' })
}

const INVITATION_COOKIE = 'tollgate.invitation'
const INVITATION_KEPT_S = 600
const INVITATION_FORM = /^[\w-]{20,128}$/

/**
 * The invitation waits here while its holder is at the provider. Empty: forgets it, and so does what can be none: it is the
 * sender's own text.
 */
function invitationCookie({ from }: Call, given: string): string {
  const token = INVITATION_FORM.test(given) ? given : ''
  const secure = from.origin.startsWith('https:') ? '; Secure' : ''
  const life = token === '' ? 0 : INVITATION_KEPT_S
  return `${INVITATION_COOKIE}=${token}; Max-Age=${life}; Path=/api/auth/callback; HttpOnly; SameSite=Lax${secure}`
}

function invitationIn({ request }: Call): string {
  return /(?:^|;\s*)tollgate\.invitation=([\w-]{20,128})/.exec(request.headers.get('cookie') ?? '')?.[1] ?? ''
}
