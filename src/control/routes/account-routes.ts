import type { z } from '@hono/zod-openapi'
import { type Account, isClosed } from '../../access/account.ts'
import { hashPassword, passwordObjection } from '../../access/password.ts'
import { limitsReport } from '../../contract/account-limits.ts'
import {
  account,
  accountCreate,
  accountPatch,
  accountsCsvQuery,
  accountsQuery,
  link,
  listedAccount,
} from '../../contract/accounts.ts'
import { pageOf } from '../../contract/wire-values.ts'
import { ZERO_NANO_USD } from '../../core/money.ts'
import { accountIdOf, type Actor, actorId, requireGrantable } from '../who/actor.ts'
import { idAt, onePage } from '../api/paging.ts'
import {
  accountCreated,
  accountLinkMade,
  accountUpdated,
  NEW_PASSWORD,
  tokensEnded,
  accountClosed,
} from '../audit/account-notes.ts'
import { requireMayEnable } from '../keys/owned-key.ts'
import { existing, fieldProblem, managed, notFound, Problem } from '../problem.ts'
import { listFiles } from '../api/list-files.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { edited } from '../api/stored-changes.ts'
import { emailTaken } from '../sign-in/problems.ts'
import { limitsReportOf, readRaise, readSetLimits } from '../accounts/account-limits.ts'
import { csvAnswer, dayOnWire } from '../api/table-file.ts'
import { accountsCsv } from '../views/accounts-csv.ts'
import { readMultipliers, readOpenGroups } from '../accounts/account-groups.ts'
import { accountSettings, accountView, figuresView, listed } from '../views/account-view.ts'
import { type CloseAnswer, closeAccount as close } from '../accounts/close-account.ts'

const route = routesOf('Administration')

const LISTED_SPAN_MS = 30 * 86_400_000

const listAccounts = route('get /api/accounts', {
  summary: 'List accounts, newest first',
  who: 'staff',
  query: accountsQuery,
  answer: pageOf(listedAccount),
  async handle(call, { store }) {
    const { search, role, status, limit } = call.query
    const rows = await store.accounts.page({ search, role, status, after: idAt(call.position), limit: limit + 1 })
    const page = onePage(rows, call, (row) => [row.account.id])
    const ids = page.rows.map((row) => row.account.id)
    const figures = await store.accounts.figures(ids, call.nowMs - LISTED_SPAN_MS)
    const data = page.rows.map((row) => ({
      ...accountView(row),
      ...figuresView(figures.get(row.account.id), row.balance),
    }))
    return { data, next_cursor: page.next_cursor }
  },
})

const exportAccounts = route('get /api/accounts.csv', {
  summary: 'Read all accounts of a filter as CSV',
  description:
    'text/csv as in RFC 4180, newest first, with a header row. Text that a spreadsheet would run begins with an apostrophe.',
  who: 'staff',
  query: accountsCsvQuery,
  mediaType: 'text/csv',
  status: 200,
  async handle({ query, nowMs }, { store }) {
    const { search, role, status, bom } = query
    const csv = accountsCsv(store.accounts, { search, role, status }, { startsWithMark: bom === 'true' })
    return csvAnswer(csv, `accounts-${dayOnWire(nowMs)}`)
  },
})

const readAccount = route('get /api/accounts/{id}', {
  summary: 'Read an account',
  who: 'staff',
  answer: account,
  handle: async (call, { store }) => accountView(await listed(call.params.id, store)),
})

const readAccountLimits = route('get /api/accounts/{id}/limits', {
  summary: 'Read the limits that hold for an account, and how they stand',
  description:
    'Each limit has one source: the `limits` of the account, else its running subscriptions (the most generous, where several set it), else `account_limits` of the settings.',
  who: 'staff',
  answer: limitsReport,
  async handle(call, parts) {
    const found = existing(await parts.store.accounts.findById(call.params.id), 'account')
    return limitsReportOf(found, parts, call.nowMs)
  },
})

const createAccount = route('post /api/accounts', {
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
    requireGrantable(call.actor, role)
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
      await audit(accountCreated(made))
    })
    return accountView({ account: made, name: '', balance: ZERO_NANO_USD })
  },
})

const changeAccount = route('patch /api/accounts/{id}', {
  summary: 'Change what an account may do',
  description:
    'A disabled account is refused everywhere once this has answered, running requests of it are cut, and its sessions end and its access tokens are deleted, as with a new password. A role with fewer rights deletes its access tokens, too. One active admin is always left. Of an account from the declarative file only the status can be changed, and only the file enables what it disables.',
  who: 'admin',
  limits: { needsConfirmation: true },
  body: accountPatch,
  answer: account,
  problems: ['managed', 'conflict', 'last_admin'],
  async handle(call, { store }) {
    const { role, status, password } = call.body
    const limits = call.body.limits === undefined ? null : readSetLimits(call.body.limits)
    const raise = call.body.raise === undefined ? null : readRaise(call.body.raise, call.nowMs)
    const open = call.body.open_groups === undefined ? null : await readOpenGroups(call.body.open_groups, store)
    const { multipliers } = call.body
    const own = multipliers === undefined ? null : await readMultipliers(multipliers, call.params.id, store)
    requireOther(call.actor, call.params.id, call.body)
    if (role !== undefined) requireGrantable(call.actor, role)
    const known = status === 'active' ? await store.accounts.findById(call.params.id) : null
    if (known !== null && isClosed(known)) throw closedBefore()
    if (known !== null) await requireMayEnable('account', known, store)
    const passwordHash = password === undefined ? null : await hashed(password)
    const { after, seq } = await call.change(async ({ accounts }, audit) => {
      const answer = await accounts.edit(
        call.params.id,
        (before) => {
          const { limits: kept, raise: keptRaise, openGroupIds: keptOpen, ownMultipliers: keptOwn, ...others } = before
          const wanted = {
            ...others,
            role: role ?? others.role,
            status: status ?? others.status,
            ...(limits ?? (kept === undefined ? {} : { limits: kept })),
            ...(raise ?? (keptRaise === undefined ? {} : { raise: keptRaise })),
            ...(open ?? (keptOpen === undefined ? {} : { openGroupIds: keptOpen })),
            ...(own ?? (keptOwn === undefined ? {} : { ownMultipliers: keptOwn })),
          }
          call.requireVersion({ before: accountSettings(before), after: accountSettings(wanted) })
          return wanted
        },
        passwordHash,
      )
      if (answer.kind === 'last_admin') throw lastAdmin()
      const made = edited(answer, 'account')
      const ended = answer.kind === 'edited' ? answer.accessTokensEnded : 0
      const replaced = passwordHash === null ? {} : NEW_PASSWORD
      await audit(accountUpdated(made.before, made.after, { ...replaced, ...tokensEnded(ended) }))
      return made
    })
    await call.reachNodes({ seq })
    return accountView(await listed(after.id, store))
  },
})

const createResetLink = linkRoute('post /api/accounts/{id}/reset-link', 'reset', {
  summary: 'Create a link to choose a new password',
  description: 'For you to pass on. The first person to open it chooses a new password. An earlier link stops working.',
})

const createVerificationLink = linkRoute('post /api/accounts/{id}/verification-link', 'verify', {
  summary: 'Create a link by which the address of an account counts as verified',
  description: 'For you to pass on, where mail does not arrive. An earlier link stops working.',
})

const LINK_ACTIONS = { reset: 'account.reset_link', verify: 'account.verification_link' } as const

function linkRoute(
  line: `post /api/accounts/{id}/${string}`,
  purpose: 'reset' | 'verify',
  texts: { readonly summary: string; readonly description: string },
): ApiRoute {
  return route(line, {
    ...texts,
    who: 'admin',
    limits: { needsConfirmation: true },
    answer: link,
    status: 201,
    secretFields: ['url'],
    async handle(call, { signIn }) {
      const { id } = call.params
      const by = { byAccountId: accountIdOf(call.actor), origin: call.origin }
      return call.change(async (stores, audit) => {
        const made = existing(await signIn.createLink({ purpose, accountId: id, ...by }, stores), 'account')
        await audit(accountLinkMade(id, LINK_ACTIONS[purpose]))
        return made
      })
    },
  })
}

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

export const accountRoutes: readonly ApiRoute[] = [
  listAccounts,
  exportAccounts,
  ...listFiles(listAccounts, { name: 'accounts', formats: ['ndjson'] }),
  readAccount,
  readAccountLimits,
  createAccount,
  changeAccount,
  createResetLink,
  createVerificationLink,
  closeAccount,
]

async function hashed(password: string): Promise<string> {
  const objection = passwordObjection(password)
  if (objection !== null) throw fieldProblem('password', `${capitalised(objection)}.`)
  return hashPassword(password)
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

function closedBefore(): Problem {
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
      throw lastAdmin()
    case 'closed_before':
      throw closedBefore()
  }
}

function lastAdmin(): Problem {
  return new Problem('last_admin', 'This is the last active admin. Give another account the role admin first.')
}
