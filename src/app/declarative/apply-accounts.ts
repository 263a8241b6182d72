import { isDeepStrictEqual } from 'node:util'
import type { Account } from '../../access/account.ts'
import { statusToApply } from '../../access/declared-status.ts'
import { subscriptionTo } from '../../access/subscription.ts'
import { hashPassword, verifyPassword } from '../../access/password.ts'
import { accountCreated, accountUpdated, NEW_PASSWORD, tokensEnded } from '../../control/audit/account-notes.ts'
import { ledgerPosted, subscriptionOpened } from '../../control/audit/funding-notes.ts'
import { newId } from '../../core/ids.ts'
import { invariant } from '../../core/invariant.ts'
import { type ApplyStep, managedNote, releaseGone } from './apply-step.ts'
import { namedChange } from './named-change.ts'
import type { DeclaredAccount } from './schema.ts'
import { writtenRights } from './written-entries.ts'

/** Each password costs a scrypt at every start, some 60 ms, since only that tells whether it is still the same. */
export async function applyAccounts(step: ApplyStep): Promise<void> {
  const { store } = step
  const ids: string[] = []
  for (const declared of step.file.declaration.accounts) {
    const account = (await opened(declared, step)) ?? (await updated(declared, step))
    ids.push(account.id)
    if (declared.status !== null) step.statuses.now.set(account.id, declared.status)
    await grantOnce(declared, account, step)
    await subscribeOnce(declared, account, step)
  }
  await releaseGone({ settings: store.settings, setting: 'declared_accounts' }, ids, async (id) => {
    const gone = await store.accounts.findById(id)
    if (gone?.isManaged !== true) return
    const left = { ...gone, isManaged: false }
    await step.change(async ({ accounts }, audit) => {
      await accounts.update(left, await accounts.passwordHash(id))
      await audit(managedNote(accountUpdated(gone, left), gone, left))
    })
  })
}

async function opened(declared: DeclaredAccount, step: ApplyStep): Promise<Account | null> {
  const { store, nowMs, notes } = step
  if ((await store.accounts.findByEmail(declared.email)) !== null) return null
  const { email, role, password, passwordHash } = declared
  const status = declared.status ?? 'active'
  const id = newId('acc', nowMs)
  const settings = { ...limitsOf(declared), ...(await groupsOf(declared, step)) }
  const account: Account = { id, email, role, status, createdAt: nowMs, isManaged: true, ...settings }
  const hash = password === null ? passwordHash : await hashPassword(password)
  const isOpened = await step.change(async ({ accounts }, audit) => {
    const isMade = await accounts.create(account, hash)
    if (isMade) await audit(accountCreated(account))
    return isMade
  })
  if (isOpened) notes.changes.push(`account ${email} (new)`)
  return isOpened ? account : null
}

async function updated(declared: DeclaredAccount, step: ApplyStep): Promise<Account> {
  const { store, notes, statuses } = step
  const existing = await store.accounts.findByEmail(declared.email)
  invariant(existing !== null, `the account ${declared.email} was found or opened`)
  const { role, password } = declared
  const { limits: _, openGroupIds, ownMultipliers, ...kept } = existing
  const ofGroups = await groupsOf(declared, step, { openGroupIds, ownMultipliers })
  const saidBefore = existing.isManaged ? (statuses.before.get(existing.id) ?? null) : null
  const status = statusToApply(declared.status, { saidBefore, now: existing.status })
  const account: Account = { ...kept, role, status, isManaged: true, ...limitsOf(declared), ...ofGroups }
  const storedHash = await store.accounts.passwordHash(existing.id)
  const isSamePassword = password === null || (storedHash !== null && (await verifyPassword(password, storedHash)))
  if (isSamePassword && isDeepStrictEqual(account, existing)) return existing
  const hash = isSamePassword ? storedHash : await hashPassword(password)
  await step.change(async ({ accounts }, audit) => {
    const { accessTokensEnded } = await accounts.update(account, hash)
    const replaced = isSamePassword ? {} : NEW_PASSWORD
    const note = accountUpdated(existing, account, { ...replaced, ...tokensEnded(accessTokensEnded) })
    await audit(managedNote(note, existing, account))
  })
  const groups = await store.groups.groups()
  const change = { before: isSamePassword ? existing : { ...existing, password: 'another' }, after: account }
  const written = (each: Account) => writtenRights(each, groups)
  notes.changes.push(namedChange<Account>(`account ${declared.email}`, { ...change, written }))
  return account
}

function limitsOf({ limits }: DeclaredAccount): Pick<Account, 'limits'> {
  return limits === undefined ? {} : { limits }
}

type OfGroups = Pick<Account, 'openGroupIds' | 'ownMultipliers'>

/** The closed groups that are open to it all the same, and its own multipliers; what the file leaves out stays as it is. */
async function groupsOf(
  { openGroups, multipliers }: DeclaredAccount,
  { store }: ApplyStep,
  before: { readonly [Field in keyof OfGroups]: OfGroups[Field] | undefined } = EMPTY,
): Promise<OfGroups> {
  const groups = await store.groups.groups()
  const idOf = (name: string) => groups.find((each) => each.name === name)?.id ?? []
  const opens = openGroups === null ? (before.openGroupIds ?? []) : openGroups.flatMap(idOf)
  const own =
    multipliers === null
      ? Object.entries(before.ownMultipliers ?? {})
      : multipliers.flatMap(({ group, multiplier }) => [idOf(group)].flat().map((id) => [id, multiplier] as const))
  return {
    ...(opens.length === 0 ? {} : { openGroupIds: opens }),
    ...(own.length === 0 ? {} : { ownMultipliers: Object.fromEntries(own) }),
  }
}

const EMPTY = { openGroupIds: undefined, ownMultipliers: undefined }

/** The balance in the file is what the account begins with, not what it is set to at each start. */
async function grantOnce(
  declared: DeclaredAccount,
  account: Account,
  { change, nowMs, notes }: ApplyStep,
): Promise<void> {
  if (declared.balance === null || declared.balance === 0n) return
  const grant = {
    id: newId('led', nowMs),
    accountId: account.id,
    createdAt: nowMs,
    kind: 'grant',
    amount: declared.balance,
    reason: 'balance from the declarative file',
    actor: 'config',
    once: 'declared_balance',
  } as const
  const answer = await change(async ({ ledger }, audit) => {
    const made = await ledger.post(grant)
    if (made.kind === 'posted') await audit(ledgerPosted(made.entry))
    return made
  })
  if (answer.kind === 'posted') notes.changes.push(`balance of ${declared.email}`)
}

/**
 * The subscriptions in the file are what the account begins with: each is opened once, and runs out like any other. One of an
 * export is known by its plan and beginning, and goes on until its end; the other runs for the plan's days from now. Which one it is
 * stands in the settings before it is opened, so that a start that was cut short opens it at the next and no two starts open two.
 */
async function subscribeOnce(declared: DeclaredAccount, { id: accountId }: Account, step: ApplyStep): Promise<void> {
  const { store, change, nowMs, notes } = step
  const first = declared.subscription === null ? [] : [{ planName: declared.subscription, name: '', term: null }]
  const resumed = declared.subscriptions.map(({ planName, startsAt, endsAt }) => ({
    planName,
    name: `:${planName}:${startsAt}`,
    term: { startsAt, endsAt },
  }))
  for (const { planName, name, term } of [...first, ...resumed]) {
    const id = await store.settings.writeOnce(`declared_subscription:${accountId}${name}`, newId('sub', nowMs))
    if ((await store.subscriptions.find(id)) !== null) continue
    const plan = (await store.plans.plans()).find((each) => each.name === planName)
    invariant(plan !== undefined, `the plan ${planName} was checked to exist`)
    const subscription = { ...subscriptionTo(plan, { id, accountId, nowMs, ...term }), ...term }
    await change(async ({ subscriptions }, audit) => {
      if ((await subscriptions.open(subscription)) !== null) await audit(subscriptionOpened(subscription))
    })
    notes.changes.push(`subscription of ${declared.email}`)
  }
}
