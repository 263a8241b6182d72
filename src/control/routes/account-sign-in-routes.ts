import { equal } from '../../access/sign-in-records.ts'
import { accountSignIn, endSessionsQuery } from '../../contract/account-sign-in.ts'
import { tokensEnded } from '../audit/account-notes.ts'
import { existing, notFound } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { runningSessions } from '../sign-in/session/sessions.ts'
import { passkeyView, sessionRecordView } from '../sign-in/session/session-view.ts'
import { timeOnWire } from '../api/wire-forms.ts'

const route = routesOf('Administration')

const SHOWN = 100
const TOKENS_COUNTED = 1000

const readSignIn = route('get /api/accounts/{id}/sign-in', {
  summary: 'Read how the owner of an account signs in, and its sessions',
  description: 'Names no secret: what is read here lets no one sign in.',
  who: 'staff',
  answer: accountSignIn,
  async handle(call, { store }) {
    const { id } = call.params
    const { accounts, signInRecords, accessTokens } = store
    const own = existing(await accounts.findOwn(id), 'account')
    const mine = equal({ accountId: id })
    const [sessions, passkeys, [identity], tokens] = await Promise.all([
      runningSessions(signInRecords, id, call.nowMs),
      signInRecords.select('passkey', { where: mine, limit: SHOWN }),
      signInRecords.select('identity', { where: mine, limit: 1 }),
      accessTokens.list(id, { after: null, limit: TOKENS_COUNTED }),
    ])
    return {
      has_password: own.hasPassword,
      is_email_verified: own.profile.isEmailVerified,
      second_factor: own.profile.hasSecondFactor,
      passkeys: passkeys.map(passkeyView),
      oidc_linked_at: identity === undefined ? null : timeOnWire(Number(identity['createdAt'])),
      access_tokens: tokens.length,
      sessions: sessions.map(sessionRecordView),
    }
  },
})

const endSession = route('delete /api/accounts/{id}/sessions/{session}', {
  summary: 'End one session of an account',
  who: 'admin',
  async handle(call) {
    const { id, session } = call.params
    await call.change(async ({ signInRecords }, audit) => {
      const ended = await signInRecords.delete('session', equal({ id: session, accountId: id }))
      if (ended.length === 0) throw notFound('session')
      await audit({ action: 'account.end_session', subject: id, accountId: id, changes: {} })
    })
  },
})

const endSessions = route('delete /api/accounts/{id}/sessions', {
  summary: 'End all sessions of an account',
  description: 'Deletes its access tokens as well, unless `end_access_tokens` is `false`.',
  who: 'admin',
  query: endSessionsQuery,
  async handle(call, { signIn }) {
    const { id } = call.params
    await call.change(async (stores, audit) => {
      if ((await stores.accounts.findById(id)) === null) throw notFound('account')
      await signIn.endSessions(id, stores)
      const ended = call.query.end_access_tokens === 'false' ? 0 : await stores.accessTokens.deleteAllOf(id)
      await audit({ action: 'account.end_sessions', subject: id, accountId: id, changes: tokensEnded(ended) })
    })
  },
})

export const accountSignInRoutes: readonly ApiRoute[] = [readSignIn, endSession, endSessions]
