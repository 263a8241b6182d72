import { z } from 'zod'
import { codeRedeemed } from '../../control/audit/funding-notes.ts'
import { redeemCode, type RedeemCodeView, redeemCodesMade } from '../../contract/billing.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { newId } from '../../core/ids.ts'
import { formatUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { readRedeemCode, type RedeemAnswer } from '../../metering/funds/redeem-code.ts'
import { text, usd, wholeNumber } from '../declarative/fields.ts'
import { accountByEmail } from './account-commands.ts'
import { auditedChange } from '../audited-change.ts'
import type { Invocation, CommandRun } from './command.ts'
import { callOwn, listOwn } from './own-routes.ts'
import { printRows } from './print-rows.ts'
import { planNamed } from './subscription-commands.ts'
import { readFlag, readMoment, readOperands } from './read-value.ts'
import { reachNodes } from './reach-nodes.ts'
import { withInstallation, withStore } from './with-installation.ts'
import { CommandFailure, UsageError } from './cli-host.ts'

/** Prints the codes, and nothing else, to stdout, once all of them are stored. */
export const createRedeemCodes: CommandRun = (call, host) => {
  const nowMs = host.nowMs()
  const amount = amountFrom(call)
  const planName = call.text('plan')
  if ((amount === null) === (planName === null))
    throw new UsageError('Give --usd and an amount, or --plan and its name.')
  const count = readFlag(call, 'count', wholeNumber(BOUNDS.redeem_code.count)) ?? 1
  const note = readFlag(call, 'note', text(BOUNDS.redeem_code.note)) ?? ''
  const expiresAt = readMoment(call, 'expires-at', nowMs)
  if (expiresAt !== null && expiresAt <= nowMs) throw new UsageError('--expires-at is in the past: give a later time.')
  return withInstallation(host, async ({ store, controlHashes }) => {
    const plan = planName === null ? null : await planNamed(store, planName)
    const { codes, data } = await callOwn(
      {
        method: 'post',
        path: '/api/redeem-codes',
        body: {
          ...(amount === null ? { plan: planName } : { amount: formatUsd(amount) }),
          count,
          note,
          expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
        },
        answer: redeemCodesMade,
      },
      { store, host, hashes: controlHashes },
    )
    const made = codes ?? []
    if (call.has('json')) {
      host.print(`${JSON.stringify(data.map((row, i) => ({ ...codeRow(row, nowMs), code: made[i] })))}\n`)
    } else {
      host.print(made.map((code) => `${code}\n`).join(''))
      const worth =
        plan === null ? `$${formatUsd(amount ?? ZERO_NANO_USD)}` : `${plan.days} days of the plan ${plan.name}`
      host.remark(`Each of these is worth ${worth}, once. They are shown only once.\n`)
    }
    return 0
  })
}

export const listRedeemCodes: CommandRun = (call, host) =>
  withStore(host, async (store) => {
    const codes = await listOwn('/api/redeem-codes', redeemCode, { store, host })
    const rows = codes.map((code) => codeRow(code, host.nowMs()))
    return printRows(
      rows,
      {
        ID: 'id',
        CODE: (row) => `${row.code_start}…${row.code_end}`,
        WORTH: (row) => (row.usd === null ? `plan ${row.plan}` : `$${row.usd}`),
        STATUS: 'status',
        EXPIRES: (row) => row.expires_at ?? 'never',
        'REDEEMED BY': (row) => row.redeemed_by ?? '',
        NOTE: 'note',
      },
      { call, host },
    )
  })

export const deleteRedeemCode: CommandRun = (call, host) => {
  const [id] = readOperands(call, { words: 'redeem-code delete', names: ['ID'] })
  const none = `There is no redeem code ${id} that is still unused: "tollgate redeem-code list" shows all, and what was redeemed stays.`
  return withStore(host, async (store) => {
    const path = `/api/redeem-codes/${encodeURIComponent(id)}` as const
    const says = { not_found: none, conflict: none }
    await callOwn({ method: 'delete', path, answer: z.undefined(), says }, { store, host })
    host.print(`The redeem code ${id} is deleted and can no longer be redeemed.\n`)
    return 0
  })
}

export const redeem: CommandRun = (call, host) => {
  const [written] = readOperands(call, { words: 'redeem', names: ['CODE'] })
  const code = readRedeemCode(written)
  if (code === null) {
    throw new UsageError(
      'The redeem code is not complete or has a wrong character: enter all five groups of four, such as K7QM-2XWP-9DRA-HT4C-CN8P, which hold neither I, L, O, U, 0 nor 1.',
    )
  }
  return withInstallation(host, async ({ store, hashRedeemCode }) => {
    const account = await accountByEmail(store.accounts, call.required('account'))
    const nowMs = host.nowMs()
    const order = {
      codeHash: hashRedeemCode(code),
      accountId: account.id,
      nowMs,
      entryId: newId('led', nowMs),
      subscriptionId: newId('sub', nowMs),
      actor: 'cli',
    }
    const answer = await auditedChange({ store, nowMs }, async ({ redeemCodes }, audit) => {
      const made = await redeemCodes.redeem(order)
      if (made.kind === 'balance' || made.kind === 'plan') await audit(codeRedeemed(made, account.id))
      return made
    })
    if ('seq' in answer) await reachNodes(answer.seq, { store, host, done: 'The code is redeemed' })
    const result = resultOf(answer, account.email)
    host.print(call.has('json') ? `${JSON.stringify(result.onWire)}\n` : `${result.sentence}\n`)
    return 0
  })
}

function amountFrom(call: Invocation) {
  return readFlag(call, 'usd', usd(BOUNDS.redeem_code.amount))
}

/** A code as commands print it. */
function codeRow({ amount, redeemed_by_email: email, ...code }: RedeemCodeView, nowMs: number) {
  const isOver = code.expires_at !== null && nowMs >= Date.parse(code.expires_at)
  const status = code.redeemed_at !== null ? 'redeemed' : isOver ? 'expired' : 'open'
  return { ...code, usd: amount, status, redeemed_by: email ?? code.redeemed_by }
}

function resultOf(answer: RedeemAnswer, email: string): { sentence: string; onWire: object } {
  switch (answer.kind) {
    case 'balance': {
      const [amount, balance] = [formatUsd(answer.amount), formatUsd(answer.balanceAfter)]
      const sentence = `$${amount} was added; the balance of ${email} is now $${balance}.`
      return { sentence, onWire: { kind: 'balance', amount, balance_after: balance } }
    }
    case 'plan': {
      const endsAt = new Date(answer.endsAt).toISOString()
      const sentence = `${email} has the plan ${answer.planName} until ${endsAt}: ${answer.subscriptionId}`
      const onWire = { kind: 'plan', plan: answer.planName, subscription_id: answer.subscriptionId, ends_at: endsAt }
      return { sentence, onWire }
    }
    case 'unknown_code':
      throw new CommandFailure('This redeem code is not valid: check each character, or ask where you got it.')
    case 'already_redeemed':
      throw new CommandFailure('This redeem code was already redeemed; each can be redeemed once.')
    case 'expired':
      throw new CommandFailure('This redeem code has expired: ask for another one where you got it.')
    case 'plan_gone':
      throw new CommandFailure('The plan of this redeem code no longer exists: ask for another code.')
    case 'balance_too_large':
      throw new CommandFailure(`The balance of ${email} would become too large.`)
    case 'unknown_account':
      throw new CommandFailure(`The account ${email} was removed meanwhile.`)
  }
}
