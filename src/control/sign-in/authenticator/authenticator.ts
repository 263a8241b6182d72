import { passkey } from '@better-auth/passkey'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { betterAuth } from 'better-auth/minimal'
import { twoFactor } from 'better-auth/plugins'
import { z } from 'zod'
import { type IdPrefix, newId } from '../../../core/ids.ts'
import { authAdapter } from './auth-adapter.ts'
import { ADDRESS_HEADER, BEGAN_BY_HEADER, cookiePrefix } from './inner-names.ts'
import type { SignInParts } from '../parts.ts'

const SESSION_LIFE_S = 30 * 24 * 3600
const SESSION_RENEWED_AFTER_S = 24 * 3600

export type Authenticator = ReturnType<typeof createAuthenticator>

/**
 * better-auth, as far as we use it: sessions and their cookies, second factors, passkeys. Registration, passwords, links,
 * OIDC and the throttle are our own. Its routes are never reached from outside: ours call them, and have checked origin,
 * freshness and throttle by then, so its own checks are off.
 */
export function createAuthenticator(parts: SignInParts, { isSecure }: { readonly isSecure: boolean }) {
  return betterAuth({
    appName: 'Tollgate',
    basePath: '/api/auth',
    // Whatever host our own routes name. Said here, it is not looked for in environment variables such as BASE_URL.
    baseURL: { allowedHosts: ['*'], protocol: isSecure ? 'https' : 'http', fallback: 'http://localhost' },
    secret: parts.secret,
    database: authAdapter(parts),
    telemetry: { enabled: false },
    // Any caller can cause what it logs; what is a defect of ours is thrown as well.
    logger: { level: 'error', log: (_level, message) => parts.onRefusal(`better-auth: ${message}`) },
    rateLimit: { enabled: false },
    session: {
      // To look whose a session is writes nothing, so that it works on a full disk: see `GET /api/auth/session` for prolonging one.
      deferSessionRefresh: true,
      expiresIn: SESSION_LIFE_S,
      updateAge: SESSION_RENEWED_AFTER_S,
      // Asked by our own routes, which know when credentials were shown last.
      freshAge: 0,
      additionalFields: {
        signedInAt: { type: 'date', required: false, input: false },
        beganBy: { type: 'string', required: false, input: false },
      },
    },
    user: { additionalFields: { role: { type: 'string', required: false, input: false } } },
    verification: { storeIdentifier: 'hashed' },
    advanced: {
      // Its own `__Secure-` would come before the prefix.
      useSecureCookies: false,
      cookiePrefix: cookiePrefix(isSecure),
      defaultCookieAttributes: { secure: isSecure },
      disableCSRFCheck: true,
      disableOriginCheck: true,
      database: { generateId: ({ model }) => newId(ID_PREFIXES[model] ?? 'vrf', parts.clock.now()) },
    },
    databaseHooks: databaseHooks(parts),
    plugins: [ownEndpoints(), twoFactor({ issuer: 'Tollgate', allowPasswordless: true }), passkeys()],
  })
}

const ID_PREFIXES: Readonly<Record<string, IdPrefix>> = {
  user: 'acc',
  session: 'ses',
  account: 'idn',
  verification: 'vrf',
  twoFactor: 'sfa',
  passkey: 'psk',
}

/** A passkey stands for both steps, so it has to have checked who holds it. */
function passkeys() {
  return passkey({
    rpName: 'Tollgate',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    authentication: {
      afterVerification: async ({ verification }) => {
        if (verification.authenticationInfo.userVerified) return
        throw new APIError('UNAUTHORIZED', { code: 'AUTHENTICATION_FAILED', message: 'the holder was not verified' })
      },
    },
  })
}

const personBody = z.object({ accountId: z.string(), keep: z.boolean() })

/** Begin a session for an account that our routes have recognised. */
function ownEndpoints() {
  const begin = async (
    ctx: Parameters<typeof setSessionCookie>[0],
    { accountId, keep }: z.infer<typeof personBody>,
  ) => {
    const user = await ctx.context.internalAdapter.findUserById(accountId)
    if (user === null) throw new APIError('NOT_FOUND', { code: 'USER_NOT_FOUND', message: 'there is no such account' })
    const session = await ctx.context.internalAdapter.createSession(accountId, !keep)
    await setSessionCookie(ctx, { session, user }, !keep)
    return ctx.json({ token: session.token })
  }
  return {
    id: 'tollgate',
    endpoints: {
      // The second factor steps in behind sign-in routes that it knows by their paths; this one is of its list.
      beginByPassword: createAuthEndpoint('/sign-in/username', { method: 'POST', body: personBody }, (ctx) =>
        begin(ctx, ctx.body),
      ),
      beginByLink: createAuthEndpoint('/tollgate/begin', { method: 'POST', body: personBody }, (ctx) =>
        begin(ctx, ctx.body),
      ),
    },
  }
}

function databaseHooks(parts: SignInParts) {
  return {
    session: {
      create: {
        before: async (session: Record<string, unknown> & { userId: string }, context: HookContext) => {
          const account = await parts.accounts.findById(session.userId)
          if (account?.status !== 'active') {
            throw new APIError('FORBIDDEN', { code: 'ACCOUNT_DISABLED', message: 'the account is disabled' })
          }
          const nowMs = parts.clock.now()
          await parts.records.delete('session', [{ field: 'expiresAt', is: '<', value: nowMs }])
          return {
            data: {
              ...session,
              ipAddress: context?.headers?.get(ADDRESS_HEADER) ?? '',
              signedInAt: session['signedInAt'] ?? new Date(nowMs),
              beganBy: session['beganBy'] ?? context?.headers?.get(BEGAN_BY_HEADER) ?? '',
            },
          }
        },
      },
    },
  }
}

type HookContext = { readonly headers?: Headers | undefined } | null | undefined
