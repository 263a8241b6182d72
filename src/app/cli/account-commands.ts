import { type Account, type AccountStore, closedAddress } from '../../access/account.ts'
import { passwordObjection } from '../../access/password.ts'
import { account, listedAccount } from '../../contract/accounts.ts'
import { type Role, ROLES } from '../../core/roles.ts'
import { emailAddress } from '../declarative/fields.ts'
import type { CommandRun } from './command.ts'
import { callOwn, listOwn } from './own-routes.ts'
import { LISTED, printRows } from './print-rows.ts'
import { readSecretLine, readOperands } from './read-value.ts'
import { withInstallation, withStore } from './with-installation.ts'
import { CommandFailure, UsageError, type CliHost } from './cli-host.ts'

export const createAccount: CommandRun = async (call, host) => {
  const email = emailAddress().safeParse(call.required('email'))
  if (!email.success)
    throw new UsageError(`--email is ${JSON.stringify(call.required('email'))}, but it must be an email address.`)
  const role = readRole(call.text('role') ?? 'user', '--role')
  const password = call.has('password-stdin') ? await passwordFromInput(host) : undefined
  return withInstallation(host, async ({ store }) => {
    const taken = `The account ${email.data} already exists: choose another address, or use that one.`
    const made = await callOwn(
      {
        method: 'post',
        path: '/api/accounts',
        body: { email: email.data, role, ...(password === undefined ? {} : { password }) },
        answer: account,
        says: { email_taken: taken },
      },
      { store, host },
    )
    host.print(call.has('json') ? `${JSON.stringify(made)}\n` : `Account created: ${made.email}, ${made.id}\n`)
    return 0
  })
}

export const changeRole: CommandRun = async (call, host) => {
  const [email = '', wanted = ''] = call.operands
  const role = readRole(wanted, 'ROLE')
  return withInstallation(host, async ({ store }) => {
    const { id, role: before } = await accountByEmail(store.accounts, email)
    const tokens = async () => (await store.accessTokens.list(id, { after: null, limit: LISTED })).length
    const tokensBefore = await tokens()
    await callOwn(
      {
        method: 'patch',
        path: `/api/accounts/${id}`,
        body: { role },
        answer: account,
        done: `${email} has the role ${role}`,
        says: {
          last_admin: 'This is the last active admin: give another account the role admin first.',
          managed: `The account ${email} comes from the declarative file: change its role there.`,
          not_found: `The account ${email} is gone.`,
        },
      },
      { store, host },
    )
    host.print(`Role of ${email}: ${role} (was ${before})\n`)
    const deleted = tokensBefore - (await tokens())
    if (deleted > 0) host.print(`Access tokens deleted: ${deleted}\n`)
    return 0
  })
}

export const listAccounts: CommandRun = (call, host) =>
  withStore(host, async (store) => {
    const newest = await listOwn('/api/accounts', listedAccount, { store, host })
    const columns = { ID: 'id', EMAIL: 'email', ROLE: 'role', STATUS: 'status', BALANCE: 'balance' } as const
    return printRows(newest.toReversed(), columns, { call, host })
  })

/** Throws CommandFailure when there is none. */
export async function accountByEmail(accounts: AccountStore, email: string): Promise<Account> {
  const found = await accounts.findByEmail(email)
  if (found === null) {
    throw new CommandFailure(
      `There is no account ${email}: see "tollgate account list", or open it with "tollgate account create".`,
    )
  }
  return found
}

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
  return password
}

/**
 * Ends everything that an account can be used by, and takes away what says whose it was. Its balance, ledger and records stay,
 * under its id: the books go on being provable.
 */
export const closeAccount: CommandRun = (call, host) => {
  const [email] = readOperands(call, { words: 'account close', names: ['EMAIL'] })
  return withStore(host, async (store) => {
    const { id } = await accountByEmail(store.accounts, email)
    const closed = await callOwn(
      {
        method: 'post',
        path: `/api/accounts/${id}/close`,
        answer: account,
        done: `The account ${id} is closed`,
        says: {
          managed: `The account ${email} comes from the declarative file: remove it there first.`,
          last_admin: 'This is the last active admin: give another account the role admin first.',
          conflict: `The account ${email} is closed already.`,
        },
      },
      { store, host },
    )
    host.print(`Closed: ${id}. Its keys are deleted; its ledger and records stay, without its address.\n`)
    // What is left is not taken: whether it is paid back is for people to decide.
    if (!/^-|^0$/.test(closed.balance))
      host.remark(`It still has a balance: "tollgate account ledger ${closedAddress(id)}" shows it.\n`)
    return 0
  })
}
