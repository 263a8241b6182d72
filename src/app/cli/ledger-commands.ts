import { ledgerEntry } from '../../contract/billing.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { formatUsd, type NanoUsd, parseUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { text } from '../declarative/fields.ts'
import { accountByEmail } from './account-commands.ts'
import type { Invocation, CommandRun } from './command.ts'
import { callOwn, listOwn } from './own-routes.ts'
import { printRows } from './print-rows.ts'
import { readFlag, readOperands, readValue } from './read-value.ts'
import { withStore } from './with-installation.ts'
import { UsageError } from './cli-host.ts'
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
    const { id } = await accountByEmail(store.accounts, email)
    const rows = await listOwn(`/api/accounts/${id}/ledger`, ledgerEntry, { store, host })
    const columns = {
      TIME: 'created_at',
      KIND: 'kind',
      AMOUNT: 'amount',
      BALANCE: 'balance_after',
      BY: 'actor',
      REASON: 'reason',
    } as const
    return printRows(
      rows.map((row) => ({ account_id: id, ...row })),
      columns,
      { call, host },
    )
  })
}

interface Posting {
  readonly email: string
  readonly kind: 'credit' | 'adjustment'
  readonly amount: NanoUsd
  readonly reason: string
}

function post(call: Invocation, host: CliHost, { email, kind, amount, reason }: Posting): Promise<number> {
  return withStore(host, async (store) => {
    const { id } = await accountByEmail(store.accounts, email)
    const entry = await callOwn(
      {
        method: 'post',
        path: `/api/accounts/${id}/ledger`,
        body: { kind, amount: formatUsd(amount), reason },
        answer: ledgerEntry,
        done: 'The entry is posted',
        says: {
          balance_insufficient: (detail) => detail.replace('can be taken', `of ${email} can be taken`),
          balance_too_large: `The balance would become too large: add less to ${email}.`,
          not_found: `The account ${email} was removed meanwhile.`,
        },
      },
      { store, host },
    )
    if (call.has('json')) host.print(`${JSON.stringify({ account_id: id, ...entry })}\n`)
    else host.print(`The balance of ${email} is now $${entry.balance_after}.\n`)
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
