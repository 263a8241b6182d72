import type { z } from '@hono/zod-openapi'
import { adjustment } from '../../contract/accounts.ts'
import { accountLedgerQuery, ledgerDays, ledgerDaysQuery, ledgerEntry, ledgerQuery } from '../../contract/billing.ts'
import { pageOf } from '../../contract/wire-values.ts'
import { CREDITS_LIMIT_NANO_USD } from '../../core/limits.ts'
import { formatUsd, type NanoUsd, nanoUsd, parseUsd } from '../../core/money.ts'
import type { PostAnswer } from '../../metering/funds/ledger.ts'
import { accountMeant, actorId, isStaff, ownAccount } from '../who/actor.ts'
import type { ListCall } from '../api/paging.ts'
import type { ControlStores } from '../parts.ts'
import { fieldProblem, notFound, Problem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { ledgerPosted } from '../audit/funding-notes.ts'
import { readLedgerDays } from '../overview/ledger-days.ts'
import { codeEndsOf, ledgerEntryView } from '../views/ledger-entry-view.ts'
import { readTime } from '../api/wire-forms.ts'

const billingRoute = routesOf('Billing')
const adminRoute = routesOf('Administration')

const listLedger = billingRoute('get /api/ledger', {
  summary: 'List the entries of your ledger, newest first, with the balance after each',
  description: 'A page may be short or empty without being the last: only a next_cursor of null is the end.',
  who: 'account',
  query: ledgerQuery,
  answer: pageOf(ledgerEntry),
  handle: (call, { store }) => {
    const accountId = accountMeant(call, call.query.account_id) ?? ownAccount(call.actor).id
    return pageFor(accountId, { ...call, isForStaff: isStaff(call.actor) }, store)
  },
})

const listDays = billingRoute('get /api/ledger/days', {
  summary: 'Sum your ledger by days, newest first',
  description:
    'A page is the 31 days up to the newest on which anything happened: what requests cost, and every other entry of the ledger. Sums are of whole hours, from the roll-ups. A request belongs to the day on which it began.',
  who: 'account',
  query: ledgerDaysQuery,
  answer: ledgerDays,
  handle: (call, { store }) => {
    const accountId = accountMeant(call, call.query.account_id) ?? ownAccount(call.actor).id
    return readLedgerDays(accountId, { ...call, isForStaff: isStaff(call.actor) }, store)
  },
})

const listOfAccount = adminRoute('get /api/accounts/{id}/ledger', {
  summary: "List the entries of an account's ledger, newest first",
  who: 'staff',
  query: accountLedgerQuery,
  answer: pageOf(ledgerEntry),
  async handle(call, { store }) {
    if ((await store.accounts.findById(call.params.id)) === null) throw notFound('account')
    return pageFor(call.params.id, { ...call, isForStaff: true }, store)
  },
})

const adjustBalance = adminRoute('post /api/accounts/{id}/ledger', {
  summary: 'Add to a balance, or take from it',
  description:
    'A negative amount takes what is neither used nor held for requests, or nothing: of those that have ended it is back within 20 s. An Idempotency-Key keeps one entry from being made twice by the one who sends it, and a reference by anyone: an account has each once.',
  who: 'books',
  body: adjustment,
  answer: ledgerEntry,
  status: 201,
  problems: ['balance_insufficient', 'balance_too_large', 'conflict', 'reference_taken'],
  example: { body: { amount: '12.50', reason: 'paid by bank transfer', kind: 'credit', reference: 'INV-2026-114' } },
  async handle(call, { newId }) {
    const { body, actor, idempotencyKey } = call
    const accountId = call.params.id
    const { entry, seq } = await call.change(async ({ ledger }, audit) => {
      const answer = await ledger.post({
        id: newId('led'),
        accountId,
        createdAt: call.nowMs,
        kind: body.kind,
        amount: readAmount(body),
        reason: body.reason,
        actor: actorId(actor),
        ...(body.reference === undefined ? {} : { reference: body.reference }),
        ...(idempotencyKey === null ? {} : { once: `api:${actorId(actor)}:${idempotencyKey}` }),
      })
      const made = posted(answer, body.reference)
      await audit(ledgerPosted(made.entry))
      return made
    })
    await call.reachNodes({ seq })
    return ledgerEntryView(entry, { isStaff: true })
  },
})

export const ledgerRoutes: readonly ApiRoute[] = [listLedger, listDays, listOfAccount, adjustBalance]

interface PageCall extends ListCall {
  readonly query: z.output<typeof accountLedgerQuery>
  readonly isForStaff: boolean
}

async function pageFor(
  accountId: string,
  call: PageCall,
  { ledger, usage, redeemCodes }: Pick<ControlStores, 'ledger' | 'usage' | 'redeemCodes'>,
) {
  const { kind, from, to, limit } = call.query
  const after = typeof call.position?.[0] === 'number' ? call.position[0] : null
  const page = await ledger.page(
    {
      accountId,
      kind,
      fromMs: from === undefined ? undefined : readTime(from),
      toMs: to === undefined ? undefined : readTime(to),
    },
    { after, limit },
  )
  const [subjects, codeEnds] = await Promise.all([
    usage.subjectsOf(page.entries.flatMap(({ requestId }) => requestId ?? [])),
    codeEndsOf(page.entries, redeemCodes),
  ])
  return {
    data: page.entries.map((entry) =>
      ledgerEntryView(entry, {
        isStaff: call.isForStaff,
        subject: subjects.get(entry.requestId ?? ''),
        codeEnd: codeEnds.get(entry.id),
      }),
    ),
    next_cursor: page.next === null ? null : call.nextCursor([page.next]),
  }
}

function readAmount({ amount, kind }: { amount: string; kind: 'credit' | 'adjustment' }): NanoUsd {
  const usd = parseUsd(amount)
  if (usd === 0n) throw fieldProblem('amount', 'amount must not be zero.')
  if (kind === 'credit' && usd < 0n) {
    throw fieldProblem('amount', 'amount must be above zero in a credit; an adjustment may be below it.')
  }
  return usd
}

/** Throws the Problem that kept the entry from being made. */
function posted(answer: PostAnswer, reference: string | undefined): Extract<PostAnswer, { kind: 'posted' }> {
  switch (answer.kind) {
    case 'posted':
      return answer
    case 'unknown_account':
      throw notFound('account')
    case 'insufficient':
      throw new Problem(
        'balance_insufficient',
        `Only $${formatUsd(answer.available)} can be taken now: the rest is used, or held for requests that run or have just ended. Those give it back within 20 s.`,
        { field: 'amount' },
      )
    case 'too_large':
      throw new Problem(
        'balance_too_large',
        `The credits of an account add up to $${formatUsd(nanoUsd(CREDITS_LIMIT_NANO_USD))} at most. Add less.`,
        { field: 'amount' },
      )
    case 'already_posted':
      if (reference !== undefined) {
        throw new Problem(
          'reference_taken',
          `The account has an entry with the reference "${reference}" already. See the ledger; another payment has another reference.`,
          { field: 'reference' },
        )
      }
      throw new Problem('conflict', 'An entry with this Idempotency-Key was made before. See the ledger.')
  }
}
