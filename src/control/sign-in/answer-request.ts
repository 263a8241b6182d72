import { ADMIN_ROUTES } from './admin-routes.ts'
import type { Authenticators } from './authenticator/authenticators.ts'
import { askAuthenticator } from './authenticator/ask-authenticator.ts'
import type { Answer, Call, Route } from './call.ts'
import { refusesCrossSite } from './cross-site.ts'
import { isFresh } from './session/freshness.ts'
import { METHOD_ROUTES } from '../routes/sign-in/method-routes.ts'
import { OIDC_ROUTES } from '../routes/sign-in/oidc-routes.ts'
import type { RequestOrigin, SignInParts } from './parts.ts'
import { PASSKEY_ROUTES } from '../routes/sign-in/passkey-routes.ts'
import { PASSWORD_ROUTES } from '../routes/sign-in/password-routes.ts'
import { confirmationNeeded, notSignedIn, SignInRefusal } from './refusal.ts'
import { REGISTRATION_ROUTES } from '../routes/sign-in/registration-routes.ts'
import { SECOND_FACTOR_ROUTES } from '../routes/sign-in/second-factor-routes.ts'
import { SESSION_ROUTES } from '../routes/sign-in/session-routes.ts'
import { SET_UP_ROUTES } from '../routes/sign-in/set-up-routes.ts'
import { whoIsSignedIn } from './session/who-is-signed-in.ts'

const BASE = '/api/auth'
/** The largest bodies are answers of authenticators, of a few kilobytes. */
const BODY_LIMIT_BYTES = 64 * 1024

const ROUTES: readonly Route[] = [
  ...SESSION_ROUTES,
  ...SET_UP_ROUTES,
  ...REGISTRATION_ROUTES,
  ...PASSWORD_ROUTES,
  ...METHOD_ROUTES,
  ...SECOND_FACTOR_ROUTES,
  ...PASSKEY_ROUTES,
  ...OIDC_ROUTES,
  ...ADMIN_ROUTES,
]

/** Answers one request under /api/auth/, whatever happens. */
export async function answerRequest(
  request: Request,
  from: RequestOrigin,
  using: { parts: SignInParts; authenticators: Authenticators },
): Promise<Response> {
  try {
    const { route, id } = routeOf(request)
    if (refusesCrossSite(request, from.origin)) throw crossSite()
    const body = route.body === null ? null : readAs(route, await readJson(request))
    const signedIn = await whoIsSignedIn(request.headers, using)
    const about = { ...using, request, from, body, id, signedIn }
    const call: Call = { ...about, ask: (inner) => askAuthenticator(about, inner) }
    authorise(call, route)
    return responseOf(await route.answer(call))
  } catch (error) {
    return refusalOf(error, using.parts).response(from.requestId ?? '')
  }
}

function refusalOf(error: unknown, parts: SignInParts): SignInRefusal {
  if (error instanceof SignInRefusal) {
    if (error.cause !== undefined) parts.onError('sign-in', error.cause)
    return error
  }
  parts.onError('sign-in', error)
  return new SignInRefusal('internal', 'Something went wrong here: try again, and tell the operator if it stays.')
}

function routeOf(request: Request): { route: Route; id: string } {
  const path = new URL(request.url).pathname.slice(BASE.length)
  for (const route of ROUTES) {
    if (route.method !== request.method) continue
    const id = matchOf(route.path, path)
    if (id !== null) return { route, id }
  }
  throw new SignInRefusal('path_unknown', 'There is nothing at this path and method under /api/auth.')
}

/** What stands at `{id}`, empty where the path has none; null: another path. */
function matchOf(pattern: string, path: string): string | null {
  const [before = '', after] = pattern.split('{id}')
  if (after === undefined) return path === pattern ? '' : null
  if (!path.startsWith(before) || !path.endsWith(after)) return null
  const id = path.slice(before.length, path.length - after.length)
  return /^[\w-]{1,64}$/.test(id) ? id : null
}

async function readJson(request: Request): Promise<unknown> {
  const text = await limitedText(request)
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new SignInRefusal('request_invalid', 'The body is no JSON.')
  }
}

async function limitedText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > BODY_LIMIT_BYTES) {
      throw new SignInRefusal('body_too_large', `Bodies here have at most ${BODY_LIMIT_BYTES / 1024} KB.`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function readAs(route: Route, given: unknown): unknown {
  const parsed = route.body?.safeParse(given)
  if (parsed === undefined || parsed.success) return parsed?.data
  const [issue] = parsed.error.issues
  const field = issue?.path.join('.') ?? ''
  const isPassword = field === 'password' || field === 'new_password'
  const isUnfit = isPassword && (issue?.code === 'too_small' || issue?.code === 'too_big')
  // The library's own message never repeats the value.
  const detail = field === '' ? 'The body has not the shape that is asked for.' : `"${field}": ${issue?.message}.`
  throw new SignInRefusal(isUnfit ? 'password_unfit' : 'request_invalid', detail, field === '' ? {} : { field })
}

function authorise({ signedIn, parts }: Call, { access }: Route): void {
  if (access === 'anyone') return
  if (signedIn === null) throw notSignedIn()
  const isForAdmins = access === 'admin' || access === 'fresh_admin'
  if (isForAdmins && signedIn.account.role !== 'admin') {
    throw new SignInRefusal('admin_needed', 'This is for admins of this gateway.')
  }
  if (access.startsWith('fresh') && !isFresh(signedIn, parts.clock.now())) throw confirmationNeeded()
}

function crossSite(): SignInRefusal {
  return new SignInRefusal(
    'cross_site',
    'This write does not come from the console’s own origin. Behind a reverse proxy, set TOLLGATE_PUBLIC_URL or TOLLGATE_TRUSTED_PROXIES.',
  )
}

function responseOf({ status, body, cookies = [], redirect }: Answer): Response {
  const headers = new Headers({ 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  if (redirect !== undefined) headers.set('location', redirect)
  if (body === undefined) return new Response(null, { status, headers })
  headers.set('content-type', 'application/json')
  return new Response(JSON.stringify(body), { status, headers })
}
