import { type Account, isClosed } from '../../access/account.ts'
import type { SetLimits } from '../../core/account-limits.ts'
import { OIDC_PROVIDER } from '../../access/sign-in-records.ts'
import { newId } from '../../core/ids.ts'
import { formatUsd, type NanoUsd, nanoUsd } from '../../core/money.ts'
import type { PlannedAccount } from '../import-plan.ts'
import type { ImportedObject, ImportStores } from '../import-store.ts'
import { ImportRefusal } from '../source.ts'
import { applyEach, type ImportStep, type KnownRow, type RowResult, type RowToApply } from './apply-step.ts'
import { isAsMarked, keptNote, markedBehind, marksIn, marksOf, mergeFields, withMarksFor } from './field-marks.ts'
import type { FieldMarks } from './field-marks.ts'

/** Accounts with their balances. Returns their ids by those of the source. */
export async function applyAccounts(
  step: ImportStep,
  groupIds: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  const before = await applyEach(step, {
    kind: 'account',
    table: 'users',
    objects: step.plan.accounts,
    idOf: ({ id }) => id,
    async apply(planned, row) {
      const { objectId, ...result } = await applyAccount(planned, { ...row, groupIds })
      ids.set(planned.id, objectId)
      return result
    },
    leave: disabled,
  })
  return new Map([...[...before.values()].map(({ sourceId, objectId }) => [sourceId, objectId] as const), ...ids])
}

async function disabled(row: KnownRow): Promise<RowResult> {
  const { step, stores, known } = row
  const isJoined = known.state['joined'] === true
  const answer = isJoined ? null : await merged({ status: 'disabled' }, { ...row, passwordHash: null })
  const state = { ...known.state, ...(answer?.kind === 'edited' ? answer.merge.marks : {}), gone: true }
  await stores.imported.put(step.source, 'account', { ...known, state })
  const what = isJoined ? 'the accounts that they were joined with stay' : 'their accounts are disabled'
  return { did: 'changed', note: `are gone from the source since: ${what}` }
}

interface AccountsToApply extends RowToApply {
  readonly groupIds: ReadonlyMap<string, string>
}

type MadeAccount = RowResult & {
  readonly objectId: string
  readonly marks: FieldMarks
  readonly isJoined?: boolean
}

async function applyAccount(
  planned: PlannedAccount,
  about: AccountsToApply,
): Promise<RowResult & { readonly objectId: string }> {
  const { step, stores, known } = about
  const { balance } = planned
  const wanted = fieldsOf(planned, about)
  const balanceBefore = typeof known?.state['balance'] === 'string' ? BigInt(known.state['balance']) : 0n
  const isSame = known !== undefined && isAsMarked(step, wanted, marksIn(known)) && known.state['gone'] !== true
  if (isSame && balanceBefore === balance) return { did: 'nothing', objectId: known.objectId }
  if (known !== undefined && (await isClosedHere(known, stores))) {
    return {
      did: 'nothing',
      objectId: known.objectId,
      note: 'were closed here, and stay so: nothing of them is changed',
    }
  }
  const made =
    known === undefined
      ? await opened(planned, about)
      : known.state['joined'] === true || isSame
        ? { did: 'changed' as const, objectId: known.objectId, marks: marksOf(step, wanted) }
        : await changed(planned, { ...about, known })
  const runs = typeof known?.state['runs'] === 'number' ? known.state['runs'] + 1 : 1
  await post(planned, { ...about, objectId: made.objectId, change: nanoUsd(balance - balanceBefore), runs })
  const joined = known === undefined ? made.isJoined === true : known.state['joined'] === true
  const marks = isSame ? marksIn(known) : made.marks
  const state = { ...marks, madeOf: planned.madeOf, balance: String(balance), runs, joined }
  await stores.imported.put(step.source, 'account', { sourceId: planned.id, objectId: made.objectId, state })
  return { did: made.did, objectId: made.objectId, note: made.note ?? null }
}

async function isClosedHere({ objectId }: ImportedObject, { accounts }: ImportStores): Promise<boolean> {
  const account = await accounts.findById(objectId)
  return account !== null && isClosed(account)
}

async function opened(planned: PlannedAccount, about: AccountsToApply): Promise<MadeAccount> {
  const { step, stores } = about
  const marks = marksOf(step, fieldsOf(planned, about))
  const { role, status } = fieldsOf(planned, about)
  const openGroupIds = openIn(planned, about)
  const limits = limitsOf(planned.limits)
  const account: Account = {
    id: newId('acc', step.nowMs),
    email: planned.email,
    createdAt: planned.createdAt ?? step.nowMs,
    isManaged: false,
    role,
    status,
    ...(openGroupIds.length === 0 ? {} : { openGroupIds }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  }
  // Only what was confirmed here is known to be theirs.
  const wantsMail = planned.wantsMail ?? undefined
  const profile = { name: planned.name, isEmailVerified: false, ...(wantsMail === undefined ? {} : { wantsMail }) }
  if (await stores.accounts.create(account, planned.passwordHash, profile)) {
    const isLinked = await linked(planned, account, about)
    return { did: 'created', objectId: account.id, marks, ...(isLinked ? {} : { note: LINKED_ELSEWHERE }) }
  }
  const there = await stores.accounts.findByEmail(planned.email)
  if (there === null) throw new Error('an email address is taken, and no account has it')
  return {
    did: 'changed',
    objectId: there.id,
    marks,
    // Its role, its password and whether it is active are its own, also when they change there.
    isJoined: true,
    note: 'have an account here already: what they have there is added to it, and its password stays',
  }
}

const LINKED_ELSEWHERE = 'sign in by OIDC as another account here: this one has its password alone'

/** Signs its owner in by OIDC as before. Returns false where the provider’s name for them is another account’s here. */
async function linked(
  { oidcSubject }: PlannedAccount,
  { id: accountId, createdAt }: Account,
  { step, stores: { signInRecords } }: Pick<AccountsToApply, 'step' | 'stores'>,
): Promise<boolean> {
  if (oidcSubject === null) return true
  const where = [
    { field: 'provider', is: '=', value: OIDC_PROVIDER },
    { field: 'subject', is: '=', value: oidcSubject },
  ] as const
  if ((await signInRecords.select('identity', { where, limit: 1 })).length > 0) return false
  const times = { createdAt, updatedAt: createdAt }
  const id = newId('idn', step.nowMs)
  await signInRecords.insert('identity', { id, provider: OIDC_PROVIDER, subject: oidcSubject, accountId, ...times })
  return true
}

function openIn({ openGroups }: PlannedAccount, { groupIds }: Pick<AccountsToApply, 'groupIds'>): readonly string[] {
  return [...new Set(openGroups.flatMap((name) => groupIds.get(name) ?? []))]
}

function limitsOf(limits: PlannedAccount['limits']): SetLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== null))
}

const OPEN = 'open:'
const LIMIT = 'limit:'
const WORDS = { open: 'groups that are open to them', limit: 'limits', email: 'email address' }

/** Fields in the form in which the source’s values and those here are compared. Each closed group is a field. */
function fieldsOf(planned: PlannedAccount, about: Pick<AccountsToApply, 'groupIds' | 'known'>) {
  const open = new Set(openIn(planned, about))
  const before = about.known === undefined ? [] : markedBehind(marksIn(about.known), OPEN)
  const status: Account['status'] = planned.isActive ? 'active' : 'disabled'
  return {
    role: planned.role,
    status,
    email: planned.email.toLowerCase(),
    password: planned.passwordHash,
    ...Object.fromEntries(
      [...new Set([...open, ...before])].map((id) => [OPEN + id, open.has(id) ? true : null] as const),
    ),
    ...Object.fromEntries(Object.entries(planned.limits).map(([name, limit]) => [LIMIT + name, limit] as const)),
  }
}

async function changed(planned: PlannedAccount, about: AccountsToApply & KnownRow): Promise<MadeAccount> {
  const { known } = about
  const { objectId } = known
  const { kind, merge } = await merged(fieldsOf(planned, about), { ...about, passwordHash: planned.passwordHash })
  const note = keptNote(merge.kept, WORDS)
  if (kind === 'edited') return { did: 'changed', objectId, marks: merge.marks, note }
  const stays =
    kind === 'last_admin'
      ? 'are the last admin here, and stay so'
      : 'come from the declarative file here, or are gone: only their balance changes'
  return { did: 'nothing', objectId, marks: marksIn(known), note: stays }
}

/** Writes of the wanted fields those that changed at the source alone. */
async function merged(
  wanted: Readonly<Record<string, unknown>>,
  about: KnownRow & { readonly passwordHash: string | null },
) {
  const { step, stores, known, passwordHash } = about
  const opening = Object.keys(wanted).filter((name) => name.startsWith(OPEN))
  const marks = withMarksFor(step, marksIn(known), { fields: opening, value: null })
  const password = await stores.accounts.passwordHash(known.objectId)
  const before = await stores.accounts.findById(known.objectId)
  const mergeWith = (account: Account | null) =>
    mergeFields(step, { wanted, here: { ...hereOf(account), password }, marks })
  const merge = mergeWith(before)
  const answer = await stores.accounts.edit(
    known.objectId,
    (account) => edited(account, mergeWith(account).write),
    merge.write['password'] === undefined ? null : passwordHash,
  )
  return { kind: answer.kind, merge }
}

function hereOf(account: Account | null): Readonly<Record<string, unknown>> {
  const { role, status, openGroupIds = [], limits = {} } = account ?? {}
  return {
    role,
    status,
    ...Object.fromEntries(openGroupIds.map((id) => [OPEN + id, true])),
    ...Object.fromEntries(Object.entries(limits).map(([name, limit]) => [LIMIT + name, limit])),
  }
}

function edited(account: Account, write: Readonly<Record<string, unknown>>): Account {
  const { openGroupIds: open = [], limits = {}, ...others } = account
  const written = (prefix: string) =>
    Object.entries(write).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
    )
  const openness = new Map([...open.map((id) => [id, true] as const), ...written(OPEN)])
  const openGroupIds = [...openness].flatMap(([id, isOpen]) => (isOpen === true ? [id] : []))
  const limited = Object.entries({ ...limits, ...Object.fromEntries(written(LIMIT)) })
  const kept: SetLimits = Object.fromEntries(limited.filter(([, limit]) => limit !== null))
  return {
    ...others,
    ...(write['role'] === undefined ? {} : { role: write['role'] as Account['role'] }),
    ...(write['status'] === undefined ? {} : { status: write['status'] as Account['status'] }),
    ...(openGroupIds.length === 0 ? {} : { openGroupIds }),
    ...(Object.keys(kept).length === 0 ? {} : { limits: kept }),
  }
}

async function post(
  planned: PlannedAccount,
  about: AccountsToApply & { readonly objectId: string; readonly change: NanoUsd; readonly runs: number },
): Promise<void> {
  const { step, stores, objectId, change, runs } = about
  if (change === 0n) return
  const { product } = step.plan
  const reason =
    about.known === undefined
      ? `opening balance from ${product}, ${planned.stated}`
      : `change at ${product} since the last import, to ${planned.stated}`
  const answer = await stores.ledger.post({
    id: newId('led', step.nowMs),
    accountId: objectId,
    createdAt: step.nowMs,
    kind: 'import',
    amount: change,
    reason,
    actor: 'cli',
    once: `import:${step.source}:${planned.id}:${runs}`,
  })
  if (answer.kind === 'posted') return
  throw new ImportRefusal(`The balance of ${planned.email} cannot change by $${formatUsd(change)} (${answer.kind}).`)
}
