import {
  redeem,
  redeemAnswer,
  redeemCode,
  redeemCodeCreate,
  redeemCodesQuery,
  redeemCodesMade,
  type RedeemAnswerView,
} from '../../contract/billing.ts'
import { pageOf } from '../../contract/wire-values.ts'
import { WRONG_REDEEM_CODES_PER_HOUR } from '../../core/limits.ts'
import { formatUsd } from '../../core/money.ts'
import {
  newRedeemCode,
  readRedeemCode,
  type RedeemAnswer,
  type RedeemCode,
  type RedeemGrant,
  shownParts,
} from '../../metering/funds/redeem-code.ts'
import { ownAccount } from '../who/actor.ts'
import { onePage, placeAt, placeOf } from '../api/paging.ts'
import type { ControlParts, ControlStores } from '../parts.ts'
import { existing, fieldProblem, Problem } from '../problem.ts'
import { listFiles } from '../api/list-files.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { readGrant } from '../payments/read-grant.ts'
import { codeRedeemed, redeemCodeDeleted, redeemCodesCreated } from '../audit/funding-notes.ts'
import { redeemCodeView } from '../views/redeem-code-view.ts'
import { readTime, timeOnWire } from '../api/wire-forms.ts'

const billingRoute = routesOf('Billing')
const adminRoute = routesOf('Administration')

const redeemOne = billingRoute('post /api/redeem', {
  summary: 'Redeem a code for balance or a plan',
  description: `Each code works once. ${WRONG_REDEEM_CODES_PER_HOUR} invalid codes lock this for an hour.`,
  who: 'account',
  body: redeem,
  answer: redeemAnswer,
  problems: ['redeem_code_invalid', 'redeem_code_used', 'redeem_code_expired', 'balance_too_large', 'redeem_locked'],
  example: { body: { code: 'K7QM-2XWP-9DRA-HT4C-CN8P' } },
  async handle(call, parts) {
    const { store, hashes, newId } = parts
    const account = ownAccount(call.actor)
    const tryId = newId('gss')
    await requireUnlocked(account.id, { tryId, nowMs: call.nowMs, parts })
    const code = readRedeemCode(call.body.code)
    const redeemed = (codeHash: string) =>
      call.change(async ({ redeemCodes }, audit) => {
        const made = await redeemCodes.redeem({
          codeHash,
          accountId: account.id,
          nowMs: call.nowMs,
          entryId: newId('led'),
          subscriptionId: newId('sub'),
          actor: account.id,
        })
        if (made.kind !== 'balance' && made.kind !== 'plan') return made
        await audit(codeRedeemed(made, account.id))
        return made
      })
    const answer: RedeemAnswer = code === null ? { kind: 'unknown_code' } : await redeemed(hashes.redeemCode(code))
    if (!isGuess(answer)) await store.attemptLimiter.refund(tryId)
    const granted = grantedBy(answer)
    if ('seq' in answer) await call.reachNodes(answer)
    return { ...granted, balance: formatUsd(await store.ledger.balance(account.id)) }
  },
})

const listCodes = adminRoute('get /api/redeem-codes', {
  summary: 'List redeem codes, newest first, with what became of them',
  who: 'staff',
  query: redeemCodesQuery,
  answer: pageOf(redeemCode),
  async handle(call, { store }) {
    const { limit, state, batch, search } = call.query
    const ofBatch = batch === undefined ? undefined : readTime(batch)
    const rows = await store.redeemCodes.list(limit + 1, placeAt(call.position), {
      state,
      createdAt: ofBatch,
      search,
      nowMs: call.nowMs,
    })
    const page = onePage(rows, call, placeOf)
    const emails = await store.accounts.emails(page.rows.flatMap(({ redeemedBy }) => redeemedBy ?? []))
    return { data: page.rows.map((code) => redeemCodeView(code, emails)), next_cursor: page.next_cursor }
  },
})

const createCodes = adminRoute('post /api/redeem-codes', {
  summary: 'Create redeem codes',
  description: 'Each grants the amount or the plan, once. The codes themselves are in this answer and in no other.',
  who: 'books',
  body: redeemCodeCreate,
  answer: redeemCodesMade,
  status: 201,
  secretFields: ['codes'],
  example: { body: { amount: '5', count: 10, note: 'spring' } },
  async handle(call, parts) {
    const { count, note, expires_at: until } = call.body
    const grants = await readTerms(call.body, parts.store)
    const expiresAt = until === null ? null : readTime(until)
    if (expiresAt !== null && expiresAt <= call.nowMs) {
      throw fieldProblem('expires_at', 'expires_at must be in the future, or null.')
    }
    const terms = { grants, note, createdAt: call.nowMs, expiresAt }
    const made = Array.from({ length: count }, () => newCode(terms, parts))
    const data = made.map(({ stored }) => redeemCodeView(stored))
    await call.change(async ({ redeemCodes }, audit) => {
      for (const { code, stored } of made) {
        if (await redeemCodes.create(stored, parts.hashes.redeemCode(code))) continue
        throw new Error('the same code was drawn twice: the source of randomness is broken')
      }
      await audit(redeemCodesCreated(made.map(({ stored }) => stored)))
    })
    return { codes: made.map(({ code }) => code), data }
  },
})

const deleteCode = adminRoute('delete /api/redeem-codes/{id}', {
  summary: 'Delete an unused redeem code',
  who: 'books',
  problems: ['conflict'],
  async handle(call, { store }) {
    const { id } = call.params
    const before = existing(await store.redeemCodes.find(id), 'redeem code')
    await call.change(async ({ redeemCodes }, audit) => {
      if (!(await redeemCodes.delete(id))) {
        throw new Problem(
          'conflict',
          'This code was redeemed, and stays for the record. What it granted is taken back by an adjustment or by cancelling the subscription.',
        )
      }
      await audit(redeemCodeDeleted(before))
    })
  },
})

export const redeemRoutes: readonly ApiRoute[] = [
  redeemOne,
  listCodes,
  ...listFiles(listCodes, { name: 'redeem-codes' }),
  createCodes,
  deleteCode,
]

/** The try is noted before it is made, so that many at once don't get further than one after the other. */
async function requireUnlocked(
  accountId: string,
  { tryId, nowMs, parts }: { tryId: string; nowMs: number; parts: ControlParts },
): Promise<void> {
  const lock = await parts.store.attemptLimiter.enter({
    id: tryId,
    about: 'redeem_code',
    asker: accountId,
    limit: WRONG_REDEEM_CODES_PER_HOUR,
    nowMs,
  })
  if (lock.kind === 'open') return
  throw new Problem(
    'redeem_locked',
    `${WRONG_REDEEM_CODES_PER_HOUR} wrong codes were tried within an hour. The next attempt is possible at ${timeOnWire(lock.untilMs)}.`,
    { retryAfterSeconds: Math.max(1, Math.ceil((lock.untilMs - nowMs) / 1000)) },
  )
}

/** Whether the attempt revealed nothing about an existing code. */
function isGuess(answer: RedeemAnswer): boolean {
  return answer.kind === 'unknown_code' || (answer.kind === 'already_redeemed' && !answer.isOwn)
}

/** Throws Problem for everything that grants nothing. A code that another account redeemed gets the answer of an unknown one. */
function grantedBy(answer: RedeemAnswer): Omit<RedeemAnswerView, 'balance'> {
  switch (answer.kind) {
    case 'balance':
      return { kind: 'balance', amount: formatUsd(answer.amount), plan: null, ends_at: null }
    case 'plan':
      return { kind: 'plan', amount: null, plan: answer.planName, ends_at: timeOnWire(answer.endsAt) }
    case 'already_redeemed':
      if (!answer.isOwn) throw invalid()
      throw new Problem('redeem_code_used', 'You have already redeemed this code. See your ledger and subscriptions.', {
        field: 'code',
      })
    case 'expired':
      throw new Problem('redeem_code_expired', 'This code has expired. Ask for another one where you got it.', {
        field: 'code',
      })
    case 'plan_gone':
      throw new Problem(
        'redeem_code_expired',
        'The plan that this code grants no longer exists. Ask for another code.',
        {
          field: 'code',
        },
      )
    case 'balance_too_large':
      throw new Problem('balance_too_large', 'This would exceed the maximum balance.')
    case 'unknown_code':
    case 'unknown_account':
      throw invalid()
  }
}

function invalid(): Problem {
  return new Problem(
    'redeem_code_invalid',
    'This code is not valid here, or was redeemed by another account. Copy the full code and try again, or ask where you got it.',
    { field: 'code' },
  )
}

async function readTerms(body: Parameters<typeof readGrant>[0], store: ControlStores): Promise<RedeemGrant> {
  const granted = await readGrant(body, store)
  if (granted.kind === 'balance') return granted
  const { id: planId, name: planName, days } = granted.plan
  return { kind: 'plan', planId, planName, days }
}

function newCode(
  terms: Pick<RedeemCode, 'grants' | 'note' | 'createdAt' | 'expiresAt'>,
  { newId, randomBytes }: ControlParts,
): { readonly code: string; readonly stored: RedeemCode } {
  const code = newRedeemCode(randomBytes)
  const { start, end } = shownParts(code)
  const stored = { id: newId('rdc'), codeStart: start, codeEnd: end, ...terms, redeemedAt: null, redeemedBy: null }
  return { code, stored }
}
