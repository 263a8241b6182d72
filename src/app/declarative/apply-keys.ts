import { isDeepStrictEqual } from 'node:util'
import type { Account } from '../../access/account.ts'
import type { ApiKey, KeyStatus } from '../../access/api-key.ts'
import { groupNames } from '../../access/group.ts'
import { settingsOnWire } from '../../access/key-settings.ts'
import { statusToApply } from '../../access/declared-status.ts'
import { keyCreated, keyStatusSet, keyUpdated } from '../../control/audit/key-notes.ts'
import { newId } from '../../core/ids.ts'
import { type Catalogue, type CatalogueLists, catalogueOf } from '../../entitlement/catalogue.ts'
import { newKey } from '../../entitlement/key-settings.ts'
import { invariant } from '../../core/invariant.ts'
import { type ApplyStep, managedNote, releaseGone } from './apply-step.ts'
import { judgeDeclared, storedSecret } from './judge-keys.ts'
import { namedChange } from './named-change.ts'
import type { DeclaredKey } from './schema.ts'

/**
 * A key is recognised by its secret. `disabled` in the file is enforced, `active` when the file says it anew; without either, a
 * key is active when it enters the file. Else it stays as it was left by hand, so that a start never revives a key that was
 * disabled in an emergency.
 */
export async function applyKeys(step: ApplyStep): Promise<void> {
  const { file, store } = step
  const [groups, models] = await Promise.all([store.groups.groups(), store.catalog.models()])
  const catalogue = catalogueOf({ groups, models, upstreams: [] })
  const kept: KeptKey[] = []
  for (const [i, declared] of file.declaration.keys.entries()) {
    const account = await store.accounts.findByEmail(declared.email)
    invariant(account !== null, `the account ${declared.email} was checked to exist`)
    const place = { catalogue, account, index: i, madeAt: step.nowMs, maxKeyValidityDays: null }
    const id = (await created(declared, place, step)) ?? (await updated(declared, place, step))
    kept.push({ id, accountId: account.id, name: declared.name })
    if (declared.status !== null) step.statuses.now.set(id, declared.status)
  }
  const memory = { settings: store.settings, setting: 'declared_keys' }
  const ids = kept.map(({ id }) => id)
  await releaseGone(memory, ids, (id) => released(id, kept, step))
}

/** Where a key stands in the file, and whose it is. Its validity was judged before anything was applied. */
interface DeclaredKeyContext {
  readonly madeAt: number
  readonly maxKeyValidityDays: null
  readonly catalogue: Catalogue & CatalogueLists
  readonly account: Account
  readonly index: number
}

interface KeptKey {
  readonly id: string
  readonly accountId: string
  readonly name: string
}

/** A key that left the file works on, unless its place was taken by one with another secret. */
async function released(id: string, kept: readonly KeptKey[], step: ApplyStep): Promise<void> {
  const { store, nowMs, notes } = step
  const gone = await store.keys.findById(id)
  if (gone === null || gone.status === 'deleted' || !gone.isManaged) return
  const isReplaced = kept.some((key) => key.accountId === gone.accountId && key.name === gone.name)
  const left = { ...gone, isManaged: false }
  await step.change(async ({ keys, groups }, audit) => {
    if (isReplaced) await keys.setStatus(id, 'disabled', nowMs)
    await keys.update(left)
    const note = isReplaced ? keyStatusSet(gone, 'disabled') : keyUpdated(gone, left, await groups.groups())
    await audit(managedNote(note, gone, left))
  })
  if (isReplaced) notes.changes.push(`the old secret of key ${gone.name}, ending in ${gone.secretEnd}, disabled`)
}

/** The new key's id, or null when there is a key with this secret already. */
async function created(declared: DeclaredKey, place: DeclaredKeyContext, step: ApplyStep): Promise<string | null> {
  const { store, hashSecret, nowMs, notes } = step
  const secret = storedSecret(declared, hashSecret)
  if ((await store.keys.findByHash(secret.hash, secret.brought)) !== null) return null
  const id = newId('key', nowMs)
  const settings = judgeDeclared(declared, null, { ...place, ...step })
  const key = newKey(settings, { id, accountId: place.account.id, createdAt: nowMs, isManaged: true })
  const isDisabled = declared.status === 'disabled'
  const isCustom = typeof declared.secret === 'string'
  const creation = await step.change(async ({ keys }, audit) => {
    const made = await keys.create(key, secret)
    if (made.kind !== 'created') return made
    if (isDisabled) await keys.setStatus(id, 'disabled', nowMs)
    await audit(keyCreated(key, { groups: place.catalogue.groups, isCustom, isDisabled }))
    return made
  })
  if (creation.kind === 'taken') return null
  if (creation.kind === 'too_many') {
    const objection = `must be an account with room for another key: this one may have ${creation.most}, and has as many`
    throw step.file.refusal(['keys', place.index, 'account'], objection)
  }
  notes.changes.push(`key ${declared.name} of ${declared.email} (new)`)
  return id
}

async function updated(declared: DeclaredKey, place: DeclaredKeyContext, step: ApplyStep): Promise<string> {
  const { file, store, hashSecret, nowMs, notes } = step
  const { hash, brought } = storedSecret(declared, hashSecret)
  const key = (await store.keys.findByHash(hash, brought))?.key
  invariant(key !== undefined, `key ${declared.name} was found or created`)
  if (key.accountId !== place.account.id || (key.status === 'deleted' && !key.isManaged)) {
    throw file.refusal(
      ['keys', place.index, 'custom_key'],
      'is not available: it belongs to another key, or did so; choose another one',
    )
  }
  if (key.status === 'deleted') {
    notes.warnings.push(
      `Key ${declared.name} of ${declared.email} was deleted by hand and stays so: take it out of the file.`,
    )
    return key.id
  }
  const wanted: ApiKey = { ...key, ...judgeDeclared(declared, key, { ...place, ...step }), isManaged: true }
  const isDifferent = !isDeepStrictEqual(wanted, key)
  const status: KeyStatus = key.isManaged
    ? statusToApply(declared.status, { saidBefore: step.statuses.before.get(key.id) ?? null, now: key.status })
    : (declared.status ?? 'active')
  if (isDifferent || status !== key.status) {
    const after = { ...wanted, status }
    await step.change(async ({ keys }, audit) => {
      if (isDifferent) await keys.update(wanted)
      if (status !== key.status) await keys.setStatus(key.id, status, nowMs)
      await audit(managedNote(keyUpdated(key, after, place.catalogue.groups), key, after))
    })
    const nameOfGroup = groupNames(place.catalogue.groups)
    const written = (each: ApiKey) => ({ ...settingsOnWire(each, nameOfGroup), status: each.status })
    const change = { before: key, after, written }
    notes.changes.push(namedChange<ApiKey>(`key ${declared.name} of ${declared.email}`, change))
  }
  return key.id
}
