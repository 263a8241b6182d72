import { hashPassword } from '../../access/password.ts'
import { account } from '../../contract/accounts.ts'
import { managed, notFound, Problem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { accountClosed } from '../audit/account-notes.ts'
import { type CloseAnswer, closeAccount as close } from '../accounts/close-account.ts'
import { accountView, listed } from '../views/account-view.ts'
import { actorId } from '../who/actor.ts'

const route = routesOf('Administration')

const closeAccount = route('post /api/accounts/{id}/close', {
  summary: 'Close an account for good',
  description:
    'Deletes its keys, ends its sessions and subscriptions, and takes its address and name away, in the audit and in invitations as well. Balance, ledger and usage records stay under its id. It is never enabled again.',
  who: 'admin',
  limits: { needsConfirmation: true },
  answer: account,
  problems: ['managed', 'conflict', 'last_admin'],
  async handle(call, { store, randomBytes }) {
    const { id } = call.params
    if (actorId(call.actor) === id) {
      throw new Problem('conflict', 'You cannot close your own account: ask another admin.')
    }
    // One that no one knows. Hashing takes too long for a transaction.
    const password = await hashPassword(Buffer.from(randomBytes(32)).toString('base64url'))
    const { seq } = await call.change(async (stores, audit) => {
      const done = closed(await close(stores, { id, password, nowMs: call.nowMs }))
      await audit(accountClosed(id, done))
      return done
    })
    await call.reachNodes({ seq })
    return accountView(await listed(id, store))
  },
})

export const accountEndRoutes: readonly ApiRoute[] = [closeAccount]

export function closedBefore(): Problem {
  return new Problem('conflict', 'This account is closed for good. Open a new one.')
}

/** Throws the Problem that kept it open. */
function closed(answer: CloseAnswer): Extract<CloseAnswer, { kind: 'closed' }> {
  switch (answer.kind) {
    case 'closed':
      return answer
    case 'unknown':
      throw notFound('account')
    case 'managed':
      throw managed('account')
    case 'last_admin':
      throw new Problem('last_admin', 'This is the last active admin. Give another account the role admin first.')
    case 'closed_before':
      throw closedBefore()
  }
}
