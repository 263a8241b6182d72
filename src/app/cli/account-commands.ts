import type { Account, AccountStore } from '../../access/account.ts'
import { hashPassword, passwordObjection } from '../../access/password.ts'
import { newId } from '../../core/ids.ts'
import { ZERO_NANO_USD } from '../../core/money.ts'
import { emailAddress, oneOf } from '../declarative/fields.ts'
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
    throw new UsageError(`--email is ${JSON.stringify(call.required('email'))}, but it takes an email address.`)
  const role = oneOf('user', 'admin').safeParse(call.text('role') ?? 'user')
  if (!role.success) throw new UsageError(`--role is ${JSON.stringify(call.text('role'))}, but it takes user or admin.`)
  const passwordHash = call.has('password-stdin') ? await passwordFromInput(host) : null
  return withInstallation(host, async ({ store }) => {
    const nowMs = host.nowMs()
    const account: Account = {
      id: newId('acc', nowMs),
      email: email.data,
      role: role.data,
      status: 'active',
      createdAt: nowMs,
      isManaged: false,
    }
    if (!(await store.accounts.create(account, passwordHash))) {
      throw new CommandFailure(`The account ${email.data} already exists: choose another address, or use that one.`)
    }
    if (call.has('json')) host.print(`${JSON.stringify(accountOnWire(account, ZERO_NANO_USD))}\n`)
    else host.print(`Account created: ${account.email}, ${account.id}\n`)
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

async function passwordFromInput(host: CliHost): Promise<string> {
  const password = await readSecretLine(host, 'the password')
  const objection = passwordObjection(password)
  if (objection !== null) throw new UsageError(`This password cannot be used: ${objection}.`)
  return hashPassword(password)
}
