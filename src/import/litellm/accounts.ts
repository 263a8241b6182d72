import { isBroughtHash } from '../../access/password.ts'
import { DAY_MS } from '../../core/durations.ts'
import { formatUsd, type NanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { ImportNotes, PlannedAccount, PlannedPlan, PlannedSubscription, ImportSettings } from '../import-plan.ts'
import { isTrueIn, momentIn, type Row, textIn } from '../source.ts'
import { budgetOf, countsOf, type LitellmBudget, type LitellmMoney, windowOf, KEYS, USERS } from './budgets.ts'

const ADMIN = 'proxy_admin'
/** Roles that look at things there, and make no keys. */
const VIEWERS = ['internal_user_viewer', 'proxy_admin_viewer']
const LONGEST_NAME = 100
const LONGEST_EMAIL = 254
/** A hundred years, which is as long as a plan may last. */
const PLAN_DAYS = 36_500

interface AccountsAbout {
  readonly group: string
  readonly money: LitellmMoney
  readonly settings: ImportSettings
  readonly notes: ImportNotes
  /** Ids of payers. */
  readonly hasKeys: ReadonlySet<string>
}

/** An owner of keys there: a user, a team, or nothing at all. */
export interface Payer {
  /** The id in the plan. */
  readonly id: string
  readonly table: string
  /** Empty: it has none. */
  readonly row: Row
  /** The name in its table. */
  readonly name: string
  /** The title as it is shown; empty: it has none. */
  readonly title: string
}

/** Accounts with what pays for them: the rest of a budget as their balance, or a plan. */
export function planAccounts(payers: readonly Payer[], about: AccountsAbout) {
  const taken = new Set<string>()
  const plans = new Map<string, PlannedPlan>()
  const subscriptions: PlannedSubscription[] = []
  const accounts = payers.map((payer) => {
    const budget = budgetOf(payer.table, payer.row, { money: about.money, nowMs: about.settings.nowMs })
    const plan = planOf(payer, budget, about)
    if (plan !== null) {
      plans.set(plan.id, plan)
      subscriptions.push(subscriptionOf(payer, plan, budget))
    }
    const balance = budget === null || plan !== null ? ZERO_NANO_USD : balanceOf(payer, budget, about)
    return accountOf(payer, { ...about, taken, balance })
  })
  return { accounts, plans: [...plans.values()], subscriptions }
}

/** null: its balance pays. */
function planOf(
  { id, table, name, row }: Payer,
  budget: LitellmBudget | null,
  { group, notes, hasKeys }: AccountsAbout,
): PlannedPlan | null {
  const plan = (title: string, quotas: PlannedPlan['quotas']): PlannedPlan => {
    const terms = { groups: [group], days: PLAN_DAYS, price: ZERO_NANO_USD, quotas }
    return { id: title, name: `LiteLLM: ${title}`, ...terms }
  }
  if (budget === null) {
    if (VIEWERS.includes(textIn(row, 'user_role')) && !hasKeys.has(id)) {
      notes.note(table, name, 'may only look there, and have neither a key nor a budget: nothing pays for them here')
      return null
    }
    const who = table === KEYS ? 'without a user and a team: one account has them all, and' : 'without a budget:'
    const what = `${who} a plan without a quota pays for them here, as nothing stops them there; it pays for every model of the group ${group} here`
    notes.note(table, null, what)
    return plan('no budget', [])
  }
  const { max: usd, duration } = budget
  if (duration === '' || usd <= 0n) return null
  const window = windowOf(budget)
  if (window === null) {
    notes.note(table, name, `have a budget for each ${duration}, which is one for good here: give them another plan`)
    return plan(`$${formatUsd(usd)} once`, [{ window: 'term', usd }])
  }
  notes.note(table, null, 'with a budget for days, weeks or months: the next begins with its first use here')
  return plan(`$${formatUsd(usd)} in ${window}`, [{ window, usd }])
}

/** Begins and ends it at moments that are the same at each run. */
function subscriptionOf({ id, row }: Payer, plan: PlannedPlan, budget: LitellmBudget | null): PlannedSubscription {
  const startsAt = momentIn(row, 'created_at') ?? 0
  const spent = plan.quotas.map(({ window }) => ({
    window,
    used: budget?.used ?? ZERO_NANO_USD,
    endsAt: window === 'term' ? null : (budget?.resetsAt ?? null),
  }))
  return { id, accountId: id, plan: plan.name, startsAt, endsAt: startsAt + PLAN_DAYS * DAY_MS, spent }
}

/** What is left of a budget that is for good. */
function balanceOf({ table, name }: Payer, { left }: LitellmBudget, { settings, notes }: AccountsAbout): NanoUsd {
  if (left >= 0n) return left
  const isZeroed = settings.negative === 'zero'
  const what = isZeroed ? 'begin with 0 here' : 'owe that here'
  notes.note(table, name, `have spent more than their budget, and ${what}`)
  return isZeroed ? ZERO_NANO_USD : left
}

function accountOf(
  payer: Payer,
  about: AccountsAbout & { readonly taken: Set<string>; readonly balance: NanoUsd },
): PlannedAccount {
  const { id, table, row, name, title } = payer
  const { notes, settings } = about
  const { counts, isShut } = countsOf(row)
  if (isShut) notes.note(table, name, 'have a limit of 0, which lets nothing through: their accounts are disabled')
  const password = textIn(row, 'password')
  if (password !== '' && !isBroughtHash(password))
    notes.note(table, name, 'have a password in a form of its own: they sign in by a link, and set another')
  if (textIn(row, 'sso_user_id') !== '')
    notes.note(table, name, 'sign in by another site, which is not carried: they sign in by a link')
  const isAdmin = settings.admins !== 'none' && textIn(row, 'user_role') === ADMIN
  const email = addressOf(payer, about)
  return {
    id,
    email,
    name: title.slice(0, LONGEST_NAME),
    passwordHash: isBroughtHash(password) ? password : null,
    role: isAdmin ? 'admin' : 'user',
    isActive: !isShut && !isTrueIn(row, 'blocked'),
    balance: about.balance,
    stated: `$${textIn(row, 'max_budget') || '0'} less $${textIn(row, 'spend') || '0'} that is spent`,
    madeOf: textIn(row, 'user_email').trim().toLowerCase() || name,
    openGroups: [],
    limits: counts,
    createdAt: momentIn(row, 'created_at'),
    oidcSubject: null,
    wantsMail: null,
  }
}

/** The source needs no address, and lets several users have the same. */
function addressOf(
  { table, row, name, id }: Payer,
  { taken, notes }: Pick<AccountsAbout, 'notes'> & { readonly taken: Set<string> },
): string {
  const given = [textIn(row, 'user_email').trim(), table === USERS ? name.trim() : ''].find(
    (text) => /^[^\s@<>"]+@[^\s@<>"]+$/.test(text) && text.length <= LONGEST_EMAIL,
  )
  if (given !== undefined && !taken.has(given.toLowerCase())) {
    taken.add(given.toLowerCase())
    return given
  }
  const plain = id
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .slice(0, LONGEST_PLAIN)
  let made = `${plain}@litellm.invalid`
  for (let number = 2; taken.has(made); number++) made = `${plain}-${number}@litellm.invalid`
  taken.add(made)
  const why = given === undefined ? 'without an email address' : 'whose email address is another’s'
  notes.note(table, name === '' ? null : name, `${why}: the account is ${made.replace(/^(\w+)-.*@/, '$1-ID@')}`)
  return made
}

const LONGEST_PLAIN = 60
