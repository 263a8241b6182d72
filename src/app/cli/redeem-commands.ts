import { codeRedeemed, redeemCodeDeleted, redeemCodesCreated } from '../../control/audit/funding-notes.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { newId } from '../../core/ids.ts'
import { formatUsd } from '../../core/money.ts'
import {
  newRedeemCode,
  readRedeemCode,
  type RedeemAnswer,
  type RedeemCode,
  type RedeemGrant,
  shownParts,
} from '../../metering/funds/redeem-code.ts'
import type { Store } from '../../store/store.ts'
import { text, usd, wholeNumber } from '../declarative/fields.ts'
import { accountByEmail } from './account-commands.ts'
import { changeByCli } from './change-by-cli.ts'
import type { Call, CommandRun } from './command.ts'
import { planNamed } from './plan-commands.ts'
import { readFlag, readMoment, readOperands } from './read-value.ts'
import { reachNodes } from './reach-nodes.ts'
import { textTable } from './text-table.ts'
import { redeemCodeOnWire } from './wire-forms.ts'
import { withInstallation, withStore } from './with-installation.ts'
import { CommandFailure, type CliHost, UsageError } from './cli-host.ts'

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
  return withInstallation(host, async ({ store, hashRedeemCode }) => {
    const grants: RedeemGrant = amount === null ? await planGrant(store, planName ?? '') : { kind: 'balance', amount }
    const made = Array.from({ length: count }, () => newCode(host, { grants, note, createdAt: nowMs, expiresAt }))
    await changeByCli({ store, nowMs }, async ({ redeemCodes }, audit) => {
      for (const { code, stored } of made) {
        if (await redeemCodes.create(stored, hashRedeemCode(code))) continue
        throw new CommandFailure(
          'The same code was drawn twice, which never happens by chance: see what is wrong first.',
        )
      }
      await audit(redeemCodesCreated(made.map(({ stored }) => stored)))
    })
    if (call.has('json')) {
      const rows = made.map(({ code, stored }) => ({ ...redeemCodeOnWire(stored, { redeemedBy: null, nowMs }), code }))
      host.print(`${JSON.stringify(rows)}\n`)
    } else {
      host.print(made.map(({ code }) => `${code}\n`).join(''))
      host.remark(`Each of these is worth ${worth(grants)}, once. They are shown only once.\n`)
    }
    return 0
  })
}

export const listRedeemCodes: CommandRun = (call, host) =>
  withStore(host, async (store) => {
    const codes = await store.redeemCodes.list(LISTED)
    const email = await emailsOf(codes, store)
    const nowMs = host.nowMs()
    const rows = codes.map((code) => redeemCodeOnWire(code, { redeemedBy: email(code.redeemedBy), nowMs }))
    if (call.has('json')) {
      host.print(`${JSON.stringify(rows)}\n`)
      return 0
    }
    const cells = rows.map((row) => [
      row.id,
      `${row.code_start}…${row.code_end}`,
      row.usd === null ? `plan ${row.plan}` : `$${row.usd}`,
      row.status,
      row.expires_at ?? 'never',
      row.redeemed_by ?? '',
      row.note,
    ])
    host.print(textTable([['ID', 'CODE', 'WORTH', 'STATUS', 'EXPIRES', 'REDEEMED BY', 'NOTE'], ...cells]))
    if (codes.length === LISTED) host.remark(`Only the newest ${LISTED} are shown.\n`)
    return 0
  })

export const deleteRedeemCode: CommandRun = (call, host) => {
  const [id] = readOperands(call, { words: 'redeem-code delete', names: ['ID'] })
  return withStore(host, async (store) => {
    await changeByCli({ store, nowMs: host.nowMs() }, async ({ redeemCodes }, audit) => {
      const before = await redeemCodes.find(id)
      if (before === null || !(await redeemCodes.delete(id))) {
        throw new CommandFailure(
          `There is no redeem code ${id} that is still unused: "tollgate redeem-code list" shows all, and what was redeemed stays.`,
        )
      }
      await audit(redeemCodeDeleted(before))
    })
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
    const answer = await changeByCli({ store, nowMs }, async ({ redeemCodes }, audit) => {
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

function newCode(
  host: CliHost,
  terms: Pick<RedeemCode, 'grants' | 'note' | 'createdAt' | 'expiresAt'>,
): { readonly code: string; readonly stored: RedeemCode } {
  const code = newRedeemCode((bytes) => host.randomBytes(bytes))
  const { start: codeStart, end: codeEnd } = shownParts(code)
  const id = newId('rdc', terms.createdAt)
  return { code, stored: { id, codeStart, codeEnd, ...terms, redeemedAt: null, redeemedBy: null } }
}

const LISTED = 1000

function amountFrom(call: Call) {
  return readFlag(call, 'usd', usd(BOUNDS.redeem_code.amount))
}

async function planGrant(store: Store, name: string): Promise<RedeemGrant> {
  const plan = await planNamed(store, name)
  return { kind: 'plan', planId: plan.id, planName: plan.name, days: plan.days }
}

function worth(grants: RedeemGrant): string {
  return grants.kind === 'balance'
    ? `$${formatUsd(grants.amount)}`
    : `${grants.days} days of the plan ${grants.planName}`
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

async function emailsOf(codes: readonly RedeemCode[], store: Store): Promise<(id: string | null) => string | null> {
  const emails = new Map<string, string>()
  for (const id of new Set(codes.flatMap((code) => code.redeemedBy ?? []))) {
    emails.set(id, (await store.accounts.findById(id))?.email ?? id)
  }
  return (id) => (id === null ? null : (emails.get(id) ?? id))
}
