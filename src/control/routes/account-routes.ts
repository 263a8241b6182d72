import type { z } from '@hono/zod-openapi'
import { type Changes, changesBetween } from '../../access/audit.ts'
import type { Account, ListedAccount } from '../../access/account.ts'
import { hashPassword, passwordObjection } from '../../access/password.ts'
import { limitsReport } from '../../contract/account-limits.ts'
import { account, accountCreate, accountPatch, accountsQuery, link } from '../../contract/accounts.ts'
import { pageOf } from '../../contract/wire-values.ts'
import { ZERO_NANO_USD } from '../../core/money.ts'
import { accountIdOf, type Actor, actorId } from '../who/actor.ts'
import { onePage } from '../api/paging.ts'
import type { ChangeableStores } from '../changeable-stores.ts'
import { requireMayEnable } from '../keys/owned-key.ts'
import type { ControlStores } from '../parts.ts'
import { fieldProblem, notFound, Problem } from '../api/problem.ts'
import { type Route, route } from '../api/route.ts'
import { changeOf, edited } from '../api/stored-edit-problems.ts'
import { emailTaken } from '../sign-in/problems.ts'
import { limitsReportOf, readSetLimits } from '../account-limits.ts'
import { accountSettings, accountView } from '../views/account-view.ts'

const listAccounts = route({
  method: 'get',
  path: '/api/accounts',
  tag: 'Administration',
  summary: 'List accounts, newest first',
  who: 'admin',
  query: accountsQuery,
  answer: pageOf(account),
  async handle({ query, position, nextCursor }, { store }) {
    const { search, role, status, limit } = query
    const after = typeof position?.[0] === 'string' ? position[0] : null
    const rows = await store.accounts.page({ search, role, status, after, limit: limit + 1 })
    const page = onePage(rows, limit, { positionOf: (row) => [row.account.id], nextCursor })
    return { data: page.rows.map(accountView), next_cursor: page.next_cursor }
  },
})

const readAccount = route({
  method: 'get',
  path: '/api/accounts/{id}',
  tag: 'Administration',
  summary: 'Read an account',
  who: 'admin',
  answer: account,
  handle: async (call, { store }) => accountView(await listed(call.params.id, store)),
})

const readAccountLimits = route({
  method: 'get',
  path: '/api/accounts/{id}/limits',
  tag: 'Administration',
  summary: 'Read the limits that hold for an account, and how they stand',
  description:
    'Each limit has one source: the `limits` of the account, else its running subscriptions (the most generous, where several set it), else `account_limits` of the settings.',
  who: 'admin',
  answer: limitsReport,
  async handle(call, parts) {
    const found = await parts.store.accounts.findById(call.params.id)
    if (found === null) throw notFound('account')
    return limitsReportOf(found, parts, call.nowMs)
  },
})

const createAccount = route({
  method: 'post',
  path: '/api/accounts',
  tag: 'Administration',
  summary: 'Open an account',
  description: 'Without a password, its owner signs in with a link: POST /api/accounts/{id}/reset-link.',
  who: 'admin',
  limits: { needsConfirmation: true },
  body: accountCreate,
  answer: account,
  status: 201,
  problems: ['email_taken'],
  example: { body: { email: 'ada@example.com', role: 'user' } },
  async handle(call, { newId }) {
    const { email, role, password } = call.body
    const limits = readSetLimits(call.body.limits)
    const made: Account = {
      id: newId('acc'),
      email,
      role,
      status: 'active',
      createdAt: call.nowMs,
      isManaged: false,
      ...limits,
    }
    const passwordHash = password === undefined ? null : await hashed(password)
    await call.change(async ({ accounts }, audit) => {
      if (!(await accounts.create(made, passwordHash))) {
        throw emailTaken('choose another one, or use that account')
      }
      const changes = changesBetween({}, { email, ...accountSettings(made) })
      await audit({ action: 'account.create', subject: made.id, accountId: made.id, changes })
    })
    return accountView({ account: made, name: '', balance: ZERO_NANO_USD })
  },
})

const changeAccount = route({
  method: 'patch',
  path: '/api/accounts/{id}',
  tag: 'Administration',
  summary: 'Change what an account may do',
  description:
    'A disabled account is refused everywhere once this has answered, running requests of it are cut, and its sessions end; a new password ends them, too, and deletes its access tokens. One active admin is always left. Of an account from the declarative file only the status can be changed, and only the file enables what it disables.',
  who: 'admin',
  limits: { needsConfirmation: true },
  body: accountPatch,
  answer: account,
  problems: ['managed', 'conflict', 'last_admin'],
  async handle(call, { store, signIn }) {
    const { role, status, password } = call.body
    const limits = call.body.limits === undefined ? null : readSetLimits(call.body.limits)
    requireOther(call.actor, call.params.id, call.body)
    const known = status === 'active' ? await store.accounts.findById(call.params.id) : null
    if (known !== null) await requireMayEnable('account', known, store)
    const passwordHash = password === undefined ? null : await hashed(password)
    const { after, seq } = await call.change(async (stores, audit) => {
      const answer = await stores.accounts.edit(
        call.params.id,
        ({ limits: before, ...kept }) => ({
          ...kept,
          role: role ?? kept.role,
          status: status ?? kept.status,
          ...(limits ?? (before === undefined ? {} : { limits: before })),
        }),
        passwordHash,
      )
      if (answer.kind === 'last_admin') {
        throw new Problem('last_admin', 'This is the last active admin. Give another account the role admin first.')
      }
      const made = edited(answer, 'account')
      const changes = changesBetween(accountSettings(made.before), accountSettings(made.after))
      const { id } = made.after
      const replaced = passwordHash === null ? {} : await withNewPassword(id, stores)
      await audit({ action: 'account.update', subject: id, accountId: id, changes: { ...changes, ...replaced } })
      if (made.after.status === 'disabled' || passwordHash !== null) await signIn.endSessions(id, stores)
      return made
    })
    await call.reachNodes(changeOf({ seq }))
    return accountView(await listed(after.id, store))
  },
})

const createResetLink = route({
  method: 'post',
  path: '/api/accounts/{id}/reset-link',
  tag: 'Administration',
  summary: 'Create a link to choose a new password',
  description: 'For you to pass on. The first person to open it chooses a new password. An earlier link stops working.',
  who: 'admin',
  limits: { needsConfirmation: true },
  answer: link,
  status: 201,
  secretFields: ['url'],
  async handle(call, { signIn }) {
    const { id } = call.params
    const by = { byAccountId: accountIdOf(call.actor), origin: call.origin }
    return call.change(async (stores, audit) => {
      const made = await signIn.createLink({ purpose: 'reset', accountId: id, ...by }, stores)
      if (made === null) throw notFound('account')
      await audit({ action: 'account.reset_link', subject: id, accountId: id, changes: {} })
      return made
    })
  },
})

const createVerificationLink = route({
  method: 'post',
  path: '/api/accounts/{id}/verification-link',
  tag: 'Administration',
  summary: 'Make a link by which the address of an account counts as verified',
  description: 'For you to pass on, where mail does not arrive. An earlier one stops working.',
  who: 'admin',
  limits: { needsConfirmation: true },
  answer: link,
  status: 201,
  secretFields: ['url'],
  async handle(call, { signIn }) {
    const { id } = call.params
    const by = { byAccountId: accountIdOf(call.actor), origin: call.origin }
    return call.change(async (stores, audit) => {
      const made = await signIn.createLink({ purpose: 'verify', accountId: id, ...by }, stores)
      if (made === null) throw notFound('account')
      await audit({ action: 'account.verification_link', subject: id, accountId: id, changes: {} })
      return made
    })
  },
})

export const accountRoutes: readonly Route[] = [
  listAccounts,
  readAccount,
  readAccountLimits,
  createAccount,
  changeAccount,
  createResetLink,
  createVerificationLink,
]

async function listed(id: string, { accounts, ledger }: ControlStores): Promise<ListedAccount> {
  const own = await accounts.findOwn(id)
  if (own === null) throw notFound('account')
  return { account: own.account, name: own.profile.name, balance: await ledger.balance(id) }
}

async function hashed(password: string): Promise<string> {
  const objection = passwordObjection(password)
  if (objection !== null) throw fieldProblem('password', `${capitalised(objection)}.`)
  return hashPassword(password)
}

/** Who could act for the account by its old password may have made access tokens. Returns what the audit says. */
async function withNewPassword(id: string, { accessTokens }: Pick<ChangeableStores, 'accessTokens'>): Promise<Changes> {
  const ended = await accessTokens.deleteAllOf(id)
  const password = { before: null, after: 'replaced' }
  return ended === 0 ? { password } : { password, access_tokens: { before: ended, after: 0 } }
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

/** Keeps admins from promoting, demoting or locking out themselves, by mistake or through a page that makes them. */
function requireOther(actor: Actor, id: string, { role, status, password }: z.output<typeof accountPatch>): void {
  if (actorId(actor) !== id || actor.kind === 'admin_token') return
  if (role !== undefined && role !== actor.account.role) {
    throw new Problem('conflict', 'You cannot change your own role: ask another admin.', { field: 'role' })
  }
  if (status === 'disabled') {
    throw new Problem('conflict', 'You cannot disable your own account: ask another admin.', { field: 'status' })
  }
  if (password !== undefined) {
    throw new Problem(
      'conflict',
      'Change your own password with the current one: POST /api/auth/password/change, or in the console under Account.',
      { field: 'password' },
    )
  }
}
