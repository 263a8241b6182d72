import type { Account, AccountStore } from '../../access/account.ts'
import { hashPassword, passwordObjection } from '../../access/password.ts'
import { newId } from '../../core/ids.ts'
import { formatUsd, parseUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { NanoUsd } from '../../core/money.ts'
import type { PostAnswer } from '../../metering/ledger.ts'
import { emailAddress, oneOf } from '../fields.ts'
import type { Call, CommandRun } from './command.ts'
import { readSecretLine } from './read-input.ts'
import { textTable } from './text-table.ts'
import { accountOnWire } from './wire-forms.ts'
import { withInstallation, withStore } from './with-installation.ts'
import { CommandFailure, UsageError } from './world.ts'
import type { World } from './world.ts'

export const createAccount: CommandRun = async (call, world) => {
  const email = emailAddress().safeParse(call.required('email'))
  if (!email.success)
    throw new UsageError(`--email is ${JSON.stringify(call.required('email'))}, but it takes an e-mail address.`)
  const role = oneOf('user', 'admin').safeParse(call.text('role') ?? 'user')
  if (!role.success) throw new UsageError(`--role is ${JSON.stringify(call.text('role'))}, but it takes user or admin.`)
  const passwordHash = call.has('password-stdin') ? await passwordFromInput(world) : null
  return withInstallation(world, async ({ store }) => {
    const nowMs = world.nowMs()
    const account: Account = {
      id: newId('acc', nowMs),
      email: email.data,
      role: role.data,
      status: 'active',
      createdAt: nowMs,
      isManaged: false,
    }
    if (!(await store.accounts.create(account, passwordHash))) {
      throw new CommandFailure(`There is an account ${email.data} already: choose another address, or use that one.`)
    }
    if (call.has('json')) world.print(`${JSON.stringify(accountOnWire(account, ZERO_NANO_USD))}\n`)
    else world.print(`Account ${account.email} is open: ${account.id}\n`)
    return 0
  })
}

export const creditAccount: CommandRun = (call, world) => {
  const amount = amountOf(call.required('amount'))
  return withInstallation(world, async ({ store }) => {
    const account = await accountByEmail(store.accounts, call.required('email'))
    const nowMs = world.nowMs()
    const answer = await store.ledger.post({
      id: newId('led', nowMs),
      accountId: account.id,
      createdAt: nowMs,
      kind: amount > ZERO_NANO_USD ? 'credit' : 'adjustment',
      amount,
      reason: call.text('reason') ?? 'by the command line',
      actor: 'cli',
    })
    sayPosted(answer, { account, call, world })
    return 0
  })
}

export const listAccounts: CommandRun = (call, world) =>
  withStore(world, async (store) => {
    const accounts = await store.accounts.list(LISTED)
    const rows = []
    for (const account of accounts) rows.push(accountOnWire(account, await store.ledger.balance(account.id)))
    if (call.has('json')) {
      world.print(`${JSON.stringify(rows)}\n`)
      return 0
    }
    const cells = rows.map((row) => [row.id, row.email, row.role, row.status, row.balance])
    world.print(textTable([['ID', 'EMAIL', 'ROLE', 'STATUS', 'BALANCE'], ...cells]))
    if (accounts.length === LISTED) world.remark(`Only the first ${LISTED} are shown.\n`)
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

async function passwordFromInput(world: World): Promise<string> {
  const password = await readSecretLine(world, 'the password')
  const objection = passwordObjection(password)
  if (objection !== null) throw new UsageError(`This can't be the password: ${objection}.`)
  return hashPassword(password)
}

function amountOf(text: string): NanoUsd {
  try {
    const amount = parseUsd(text)
    if (amount !== ZERO_NANO_USD) return amount
  } catch {
    // One sentence for everything that is no amount.
  }
  throw new UsageError(
    `--amount is ${JSON.stringify(text)}, but it takes an amount of USD such as 12.50, other than zero.`,
  )
}

function sayPosted(answer: PostAnswer, { account, call, world }: { account: Account; call: Call; world: World }): void {
  switch (answer.kind) {
    case 'posted': {
      const { id, kind, amount, balanceAfter, reason } = answer.entry
      const entry = {
        id,
        account_id: account.id,
        kind,
        amount: formatUsd(amount),
        balance_after: formatUsd(balanceAfter),
        reason,
      }
      if (call.has('json')) world.print(`${JSON.stringify(entry)}\n`)
      else world.print(`The balance of ${account.email} is now $${formatUsd(balanceAfter)}.\n`)
      return
    }
    case 'insufficient':
      throw new CommandFailure(
        `Only $${formatUsd(answer.available)} of ${account.email} can be taken: the rest is used or held by running requests.`,
      )
    case 'unknown_account':
      throw new CommandFailure(`The account ${account.email} was removed meanwhile.`)
    case 'already_posted':
      throw new CommandFailure('This entry was posted already.')
  }
}
