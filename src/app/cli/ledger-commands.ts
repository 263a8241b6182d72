import type { Account } from '../../access/account.ts'
import { ledgerPosted } from '../../control/audit/funding-notes.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { newId } from '../../core/ids.ts'
import { type NanoUsd, parseUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { formatUsd } from '../../core/money.ts'
import type { LedgerEntryKind, PostAnswer } from '../../metering/funds/ledger.ts'
import { text } from '../declarative/fields.ts'
import { accountByEmail } from './account-commands.ts'
import { changeByCli } from './change-by-cli.ts'
import type { Call, CommandRun } from './command.ts'
import { readFlag, readOperands, readValue } from './read-value.ts'
import { reachNodes } from './reach-nodes.ts'
import { textTable } from './text-table.ts'
import { ledgerEntryOnWire } from './wire-forms.ts'
import { withStore } from './with-installation.ts'
import { CommandFailure, UsageError } from './cli-host.ts'
import type { CliHost } from './cli-host.ts'

/** A top-up; taking something back is an adjustment, whichever command it was asked by. */
export const creditAccount: CommandRun = (call, host) => {
  const amount = amountOf(call.required('amount'), '--amount')
  const kind = amount > ZERO_NANO_USD ? 'credit' : 'adjustment'
  const reason = readFlag(call, 'reason', text(BOUNDS.ledger_entry.reason)) ?? 'by the command line'
  return post(call, host, { email: call.required('email'), kind, amount, reason })
}

export const adjustAccount: CommandRun = (call, host) => {
  const [email, written] = readOperands(call, { words: 'account adjust', names: ['EMAIL', 'AMOUNT'] })
  const amount = amountOf(written, 'AMOUNT')
  const reason = readValue(call.required('reason'), { name: '--reason', schema: text(BOUNDS.ledger_entry.reason) })
  return post(call, host, { email, kind: 'adjustment', amount, reason })
}

export const listLedger: CommandRun = (call, host) => {
  const [email] = readOperands(call, { words: 'account ledger', names: ['EMAIL'] })
  return withStore(host, async (store) => {
    const account = await accountByEmail(store.accounts, email)
    const entries = await store.ledger.entries(account.id, LISTED)
    const rows = entries.map(ledgerEntryOnWire)
    if (call.has('json')) {
      host.print(`${JSON.stringify(rows)}\n`)
      return 0
    }
    const cells = rows.map((row) => [row.created_at, row.kind, row.amount, row.balance_after, row.actor, row.reason])
    host.print(textTable([['TIME', 'KIND', 'AMOUNT', 'BALANCE', 'BY', 'REASON'], ...cells]))
    if (entries.length === LISTED) host.remark(`Only the newest ${LISTED} are shown.\n`)
    return 0
  })
}

const LISTED = 1000

interface Posting {
  readonly email: string
  readonly kind: LedgerEntryKind
  readonly amount: NanoUsd
  readonly reason: string
}

function post(call: Call, host: CliHost, { email, kind, amount, reason }: Posting): Promise<number> {
  return withStore(host, async (store) => {
    const account = await accountByEmail(store.accounts, email)
    const nowMs = host.nowMs()
    const entry = { accountId: account.id, createdAt: nowMs, kind, amount, reason, actor: 'cli' }
    const answer = await changeByCli({ store, nowMs }, async ({ ledger }, audit) => {
      const made = await ledger.post({ id: newId('led', nowMs), ...entry })
      if (made.kind === 'posted') await audit(ledgerPosted(made.entry))
      return made
    })
    if (answer.kind === 'posted') await reachNodes(answer.seq, { store, host, done: 'The entry is posted' })
    sayPosted(answer, { account, call, host })
    return 0
  })
}

function amountOf(written: string, name: string): NanoUsd {
  try {
    const amount = parseUsd(written)
    const { least, most } = BOUNDS.ledger_entry.amount
    if (amount !== ZERO_NANO_USD && amount >= least && amount <= most) return amount
  } catch {
    // One sentence for everything but an amount.
  }
  throw new UsageError(
    `${name} is ${JSON.stringify(written)}, but it must be an amount of USD such as 12.50, other than zero.`,
  )
}

function sayPosted(answer: PostAnswer, { account, call, host }: { account: Account; call: Call; host: CliHost }): void {
  switch (answer.kind) {
    case 'posted':
      if (call.has('json')) host.print(`${JSON.stringify(ledgerEntryOnWire(answer.entry))}\n`)
      else host.print(`The balance of ${account.email} is now $${formatUsd(answer.entry.balanceAfter)}.\n`)
      return
    case 'insufficient':
      throw new CommandFailure(
        `Only $${formatUsd(answer.available)} of ${account.email} can be taken now: the rest is used, or held for requests that run or have just ended. Those give it back within 20 s.`,
      )
    case 'too_large':
      throw new CommandFailure(`The balance would become too large: add less to ${account.email}.`)
    case 'unknown_account':
      throw new CommandFailure(`The account ${account.email} was removed meanwhile.`)
    case 'already_posted':
      throw new CommandFailure('This entry was already posted.')
  }
}
