import { type Changes, changesBetween } from '../../access/audit.ts'
import { seeAsBegin, seeAsGrant, visits } from '../../contract/see-as.ts'
import { ownAccount } from '../who/actor.ts'
import { maySeeAs, writeGrant } from '../api/see-as.ts'
import { existing, notFound, Problem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { timeOnWire } from '../api/wire-forms.ts'

const adminRoute = routesOf('Administration')
const accountRoute = routesOf('Account')

const BEGUN = 'account.see_as'
/** Long enough to follow a complaint, short enough that a forgotten tab ends by itself. */
const GRANT_MS = 30 * 60_000
const VISITS_SHOWN = 20
const VISITS_OF_MS = 90 * 86_400_000

const begin = adminRoute('post /api/accounts/{id}/see-as', {
  summary: 'See an account as its owner does',
  description:
    'Send the grant as the header `x-tollgate-see-as`, with the same session: for 30 minutes GET of keys, usage, billing, models and the overview answers as it answers the owner. Everything else is refused (`see_as_read_only`). The owner is shown that it was begun, and the reason. Of accounts with the role `user` alone.',
  who: 'admin',
  limits: { needsSession: true },
  body: seeAsBegin,
  answer: seeAsGrant,
  status: 201,
  secretFields: ['grant'],
  problems: ['conflict'],
  example: { body: { reason: 'Your question about the charge of 3 May' } },
  async handle(call, parts) {
    const { actor, nowMs } = call
    if (actor.kind !== 'session') throw notFound('session')
    const { sessionId } = actor.session
    const { id: accountId } = call.params
    const untilMs = nowMs + GRANT_MS
    const until = timeOnWire(untilMs)
    await call.change(async ({ accounts }, audit) => {
      const account = existing(await accounts.findById(accountId), 'account')
      if (!maySeeAs(account)) {
        throw new Problem('conflict', 'Only accounts with the role user can be seen as their owners see them.')
      }
      const changes = changesBetween({}, { reason: call.body.reason, until })
      await audit({ action: BEGUN, subject: accountId, accountId, changes })
    })
    return { grant: writeGrant({ sessionId, accountId, untilMs }, parts), until }
  },
})

const end = adminRoute('delete /api/accounts/{id}/see-as', {
  summary: 'Write down that you no longer see an account as its owner does',
  description: 'For the audit. Forget the grant as well: until its time is over, your session could use it.',
  who: 'admin',
  limits: { needsSession: true },
  async handle(call) {
    const { id } = call.params
    await call.change(async ({ accounts }, audit) => {
      if ((await accounts.findById(id)) === null) throw notFound('account')
      await audit({ action: 'account.see_as_end', subject: id, accountId: id, changes: {} })
    })
  },
})

const list = accountRoute('get /api/me/visits', {
  summary: 'List when admins saw your account as you do',
  description: `Newest first, of the last 90 days; at most ${VISITS_SHOWN}.`,
  who: 'account',
  problems: ['account_needed'],
  answer: visits,
  async handle(call, { store }) {
    const found = await store.audit.page({
      action: BEGUN,
      subject: ownAccount(call.actor).id,
      fromMs: call.nowMs - VISITS_OF_MS,
      after: null,
      limit: VISITS_SHOWN,
    })
    return {
      data: found.map(({ id, createdAt, changes }) => ({
        id,
        at: timeOnWire(createdAt),
        until: textIn(changes, 'until') ?? timeOnWire(createdAt),
        reason: textIn(changes, 'reason') ?? '',
      })),
    }
  },
})

export const seeAsRoutes: readonly ApiRoute[] = [begin, end, list]

function textIn(changes: Changes, field: string): string | null {
  const after = changes[field]?.after
  return typeof after === 'string' ? after : null
}
