import type { SignInRecord } from '../../access/sign-in-records.ts'
import { accountSignIn, endSessionsQuery } from '../../contract/account-sign-in.ts'
import { tokensEnded } from '../audit/account-notes.ts'
import { notFound } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { sessionRecordView } from '../sign-in/session/session-view.ts'
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
    const own = await accounts.findOwn(id)
    if (own === null) throw notFound('account')
    const mine = { field: 'accountId', is: '=', value: id } as const
    const running = { field: 'expiresAt', is: '>', value: call.nowMs } as const
    const [sessions, passkeys, [identity], tokens] = await Promise.all([
      signInRecords.select('session', {
        where: [mine, running],
        limit: SHOWN,
        sortBy: { field: 'updatedAt', direction: 'desc' },
      }),
      signInRecords.select('passkey', { where: [mine], limit: SHOWN }),
      signInRecords.select('identity', { where: [mine], limit: 1 }),
      accessTokens.list(id, { after: null, limit: TOKENS_COUNTED }),
    ])
    return {
      has_password: own.hasPassword,
      is_email_verified: own.profile.isEmailVerified,
      second_factor: own.profile.hasSecondFactor,
      passkeys: passkeys.map((each) => ({
        id: String(each['id']),
        name: String(each['name'] ?? ''),
        created_at: each['createdAt'] == null ? null : timeOf(each, 'createdAt'),
      })),
      oidc_linked_at: identity === undefined ? null : timeOf(identity, 'createdAt'),
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
      const ended = await signInRecords.delete('session', [
        { field: 'id', is: '=', value: session },
        { field: 'accountId', is: '=', value: id },
      ])
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

function timeOf(record: SignInRecord, field: string): string {
  return timeOnWire(Number(record[field]))
}
