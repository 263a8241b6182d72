import type { ApiKey } from '../../access/api-key.ts'
import { newId } from '../../core/ids.ts'
import { invariant } from '../../core/invariant.ts'
import { nanoUsd } from '../../core/money.ts'
import { quotaBudgetOf, spendBudgetsOf } from '../../entitlement/funding.ts'
import { newKey } from '../../entitlement/key-settings.ts'
import type { PlannedKey } from '../import-plan.ts'
import { applyEach, type ImportStep, type KnownRow, type RowResult, type RowToApply, stateOf } from './apply-step.ts'
import { isAsMarked, keptNote, type MergedFields, marksIn, marksOf, mergeFields } from './field-marks.ts'
import { broughtHashOf } from '../../access/brought-key.ts'
import { displayParts } from '../../access/key-secret.ts'

const TAKEN = 'have a key that is another’s here: they were not imported'
const DELETED = 'were deleted here, and stay so'
const WORDS = {
  groupId: 'group',
  fallbackGroupIds: 'fallback groups',
  quotaLimit: 'quota',
  quotaReset: 'reset of the quota',
  rateLimit: 'limits',
  expiresAt: 'end',
  allowedModels: 'models',
  allowedIps: 'addresses',
}

/** Keys with what was used of their quotas. */
export async function applyKeys(step: ImportStep, ids: KeysToApply['ids']): Promise<void> {
  await applyEach(step, {
    kind: 'key',
    table: 'keys',
    objects: step.plan.keys,
    idOf: (planned) => sourceIdOf(step, planned),
    apply: async (planned, row) => ({ ...(await applyKey(planned, { ...row, ids })), noted: planned.id }),
    async leave(row) {
      const { known, stores } = row
      const { marks } = await merged({ status: 'disabled' }, row)
      const state = { ...known.state, ...marks, use: '', gone: true }
      await stores.imported.put(step.source, 'key', { ...known, state })
      return { did: 'changed', noted: known.objectId, note: 'are gone from the source since, and disabled here' }
    },
  })
}

interface KeysToApply extends RowToApply {
  readonly ids: { readonly groups: ReadonlyMap<string, string>; readonly accounts: ReadonlyMap<string, string> }
}

async function applyKey(planned: PlannedKey, about: KeysToApply): Promise<RowResult> {
  const { step, stores, known } = about
  const { quotaUsed, spent } = planned
  const sourceId = sourceIdOf(step, planned)
  const wanted = fieldsOf(planned, about)
  const use = stateOf(step, { quotaUsed, spent })
  if (known === undefined) {
    const made = await created(planned, about)
    if (made.key === null) return { did: 'nothing', note: made.note }
    await bringUse(planned, made.key, about)
    const state = { ...marksOf(step, wanted), use }
    await stores.imported.put(step.source, 'key', { sourceId, objectId: made.key.id, state })
    return { did: 'created' }
  }
  const isSame = isAsMarked(step, wanted, marksIn(known))
  if (isSame && known.state['use'] === use) return { did: 'nothing' }
  const { key, kept, marks } = await merged(isSame ? {} : wanted, { step, stores, known })
  if (key === null) return { did: 'nothing', note: DELETED }
  if (known.state['use'] !== use) await bringUse(planned, key, about)
  const state = { ...(isSame ? marksIn(known) : marks), use }
  await stores.imported.put(step.source, 'key', { sourceId, objectId: key.id, state })
  return { did: 'changed', note: keptNote(kept, WORDS) }
}

/** Fields in the form in which the source’s values and those here are compared. */
type ComparedKey = ReturnType<typeof fieldsOf>

function fieldsOf(planned: PlannedKey, about: KeysToApply) {
  const status: ApiKey['status'] = planned.isActive ? 'active' : 'disabled'
  return { ...settingsOf(planned, about), status, secret: planned.secret }
}

type MergedKey = Pick<MergedFields<ComparedKey>, 'kept' | 'marks'> & { readonly key: ApiKey | null }

/** `wanted`: of those fields that may have changed. `key` null: it was deleted here. */
async function merged(wanted: Partial<ComparedKey>, { step, stores, known }: KnownRow): Promise<MergedKey> {
  let merge: MergedFields<Partial<ComparedKey>> = { write: {}, kept: [], marks: marksIn(known) }
  const edit = (key: ApiKey): ApiKey => {
    // Of the secret only a hash is here: another one at the source stays there.
    merge = mergeFields(step, { wanted, here: { ...key, secret: null }, marks: marksIn(known) })
    const { secret: _secret, ...write } = merge.write
    return { ...key, ...write }
  }
  const answer = await stores.keys.edit(known.objectId, edit, step.nowMs)
  return { key: answer?.after ?? null, kept: merge.kept, marks: merge.marks }
}

type MadeKey = { readonly key: ApiKey } | { readonly key: null; readonly note: string }

async function created(planned: PlannedKey, about: KeysToApply): Promise<MadeKey> {
  const { step, stores, ids } = about
  const accountId = ids.accounts.get(planned.accountId)
  invariant(accountId !== undefined, 'the accounts of keys are in the plan')
  const secret = storedSecret(step, planned)
  const there = await stores.keys.findByHash(secret.hash, secret.brought)
  if (there !== null) return { key: null, note: TAKEN }
  const createdAt = planned.createdAt ?? step.nowMs
  const key = newKey(settingsOf(planned, about), {
    id: newId('key', step.nowMs),
    accountId,
    createdAt,
    isManaged: false,
  })
  const answer = await stores.keys.create(key, secret)
  if (answer.kind === 'too_many')
    return { key: null, note: `are more than the ${answer.most} keys that an account may have here` }
  if (answer.kind === 'taken') return { key: null, note: TAKEN }
  const status = planned.isActive ? 'active' : 'disabled'
  const edited = await stores.keys.edit(key.id, (made) => ({ ...made, status }), step.nowMs)
  return edited === null ? { key: null, note: DELETED } : { key: edited.after }
}

function settingsOf({ group, fallbackGroups, ...planned }: PlannedKey, { ids }: Pick<KeysToApply, 'ids'>) {
  const groupId = ids.groups.get(group)
  invariant(groupId !== undefined, `the group ${group} is in the plan`)
  const { name, quotaLimit, quotaReset, rateLimit, expiresAt, allowedModels, allowedIps } = planned
  const fallbackGroupIds = fallbackGroups.flatMap((each) => ids.groups.get(each) ?? [])
  const settings = { name, groupId, fallbackGroupIds, quotaLimit, rateLimit, expiresAt, allowedModels, allowedIps }
  return quotaReset === undefined ? settings : { ...settings, quotaReset }
}

async function bringUse(planned: PlannedKey, key: ApiKey, { step, stores, known }: KeysToApply): Promise<void> {
  const { nowMs } = step
  const quota = quotaBudgetOf(key, nowMs)
  if (quota !== null && (planned.quotaUsed > 0n || known !== undefined)) {
    await stores.imported.bringUse(quota, { used: planned.quotaUsed, endsAt: null }, nowMs)
  }
  const windows = spendBudgetsOf(key)
  for (const { window, used, endsAt } of planned.spent) {
    const budget = windows.find((each) => each.window === window)
    const isOver = endsAt === null || endsAt <= nowMs
    if (budget !== undefined && !isOver) await stores.imported.bringUse(budget, { used: nanoUsd(used), endsAt }, nowMs)
  }
}

type Hashing = Pick<ImportStep, 'hashSecret' | 'hashState'>

/** The secret of a planned key as it is stored. `brought`: as a key that came by its hash alone may have it. */
export function storedSecret(
  step: Pick<Hashing, 'hashSecret'>,
  { secret }: Pick<PlannedKey, 'secret'>,
): { readonly hash: string; readonly brought?: string; readonly start: string; readonly end: string } {
  if (typeof secret !== 'string') return { ...secret, start: '' }
  return { hash: step.hashSecret(secret), brought: broughtHashOf(secret), ...displayParts(secret) }
}

/**
 * The id by which the row of a planned key is known again. The source knows it by a hash of its secret that anyone can make, which is
 * not to stay here once the key has its own.
 */
export function sourceIdOf(
  step: Pick<Hashing, 'hashState'>,
  { id, secret }: Pick<PlannedKey, 'id' | 'secret'>,
): string {
  return typeof secret === 'string' ? id : step.hashState(`row of ${secret.hash}`)
}
