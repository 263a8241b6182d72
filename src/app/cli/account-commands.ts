import type { Account, AccountStore } from '../../access/account.ts'
import { hashPassword, passwordObjection } from '../../access/password.ts'
import { accountCreated, accountUpdated, tokensEnded } from '../../control/audit/account-notes.ts'
import { newId } from '../../core/ids.ts'
import { ZERO_NANO_USD } from '../../core/money.ts'
import { type Role, ROLES } from '../../core/roles.ts'
import { emailAddress } from '../declarative/fields.ts'
import { changeByCli } from './change-by-cli.ts'
import type { CommandRun } from './command.ts'
import { readSecretLine } from './read-input.ts'
import { textTable } from './text-table.ts'
import { accountOnWire } from './wire-forms.ts'
import { withInstallation, withStore } from './with-installation.ts'
import { CommandFailure, UsageError } from './cli-host.ts'
import type { CliHost } from './cli-host.ts'

export const createAccount: CommandRun = async (call, host) => {
  const email = emailAddress().safeParse(call.required('email'))
  if (!email.success)
    throw new UsageError(`--email is ${JSON.stringify(call.required('email'))}, but it must be an email address.`)
  const role = readRole(call.text('role') ?? 'user', '--role')
  const passwordHash = call.has('password-stdin') ? await passwordFromInput(host) : null
  return withInstallation(host, async ({ store }) => {
    const nowMs = host.nowMs()
    const account: Account = {
      id: newId('acc', nowMs),
      email: email.data,
      role,
      status: 'active',
      createdAt: nowMs,
      isManaged: false,
    }
    await changeByCli({ store, nowMs }, async ({ accounts }, audit) => {
      if (!(await accounts.create(account, passwordHash))) {
        throw new CommandFailure(`The account ${email.data} already exists: choose another address, or use that one.`)
      }
      await audit(accountCreated(account))
    })
    if (call.has('json')) host.print(`${JSON.stringify(accountOnWire(account, ZERO_NANO_USD))}\n`)
    else host.print(`Account created: ${account.email}, ${account.id}\n`)
    return 0
  })
}

export const changeRole: CommandRun = async (call, host) => {
  const [email = '', wanted = ''] = call.operands
  const role = readRole(wanted, 'ROLE')
  return withInstallation(host, async ({ store }) => {
    const { id } = await accountByEmail(store.accounts, email)
    const changed = await changeByCli({ store, nowMs: host.nowMs() }, async ({ accounts }, audit) => {
      const answer = await accounts.edit(id, (account) => ({ ...account, role }), null)
      if (answer.kind === 'last_admin') {
        throw new CommandFailure('This is the last active admin: give another account the role admin first.')
      }
      if (answer.kind === 'managed') {
        throw new CommandFailure(`The account ${email} comes from the declarative file: change its role there.`)
      }
      if (answer.kind !== 'edited') throw new CommandFailure(`The account ${email} is gone.`)
      await audit(accountUpdated(answer.before, answer.after, tokensEnded(answer.accessTokensEnded)))
      return answer
    })
    const { before, accessTokensEnded } = changed
    host.print(`Role of ${email}: ${role} (was ${before.role})\n`)
    if (accessTokensEnded > 0) host.print(`Access tokens deleted: ${accessTokensEnded}\n`)
    return 0
  })
}

export const listAccounts: CommandRun = (call, host) =>
  withStore(host, async (store) => {
    const accounts = await store.accounts.list(LISTED)
    const rows = []
    for (const account of accounts) rows.push(accountOnWire(account, await store.ledger.balance(account.id)))
    if (call.has('json')) {
      host.print(`${JSON.stringify(rows)}\n`)
      return 0
    }
    const cells = rows.map((row) => [row.id, row.email, row.role, row.status, row.balance])
    host.print(textTable([['ID', 'EMAIL', 'ROLE', 'STATUS', 'BALANCE'], ...cells]))
    if (accounts.length === LISTED) host.remark(`Only the first ${LISTED} are shown.\n`)
    return 0
  })

/** Throws CommandFailure when there is none. */
export async function accountByEmail(accounts: AccountStore, email: string): Promise<Account> {
  const account = await accounts.findByEmail(email)
  if (account === null) {
    throw new CommandFailure(
      `There is no account ${email}: see "tollgate account list", or open it with "tollgate account create".`,
    )
  }
  return account
}

const LISTED = 1000

/** Throws UsageError. `name`: of what was written. */
function readRole(given: string, name: string): Role {
  const role = ROLES.find((each) => each === given)
  if (role !== undefined) return role
  throw new UsageError(`${name} is ${JSON.stringify(given)}, but it must be ${ROLES_LISTED}.`)
}

const ROLES_LISTED = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(ROLES)

async function passwordFromInput(host: CliHost): Promise<string> {
  const password = await readSecretLine(host, 'the password')
  const objection = passwordObjection(password)
  if (objection !== null) throw new UsageError(`This password cannot be used: ${objection}.`)
  return hashPassword(password)
}
