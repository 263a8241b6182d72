import { mustBe } from '../../core/must-be.ts'
import type { Account } from '../../access/account.ts'
import { broughtHashOf } from '../../access/brought-key.ts'
import { displayParts } from '../../access/key-secret.ts'
import type { Group } from '../../access/group.ts'
import type { KeySettings } from '../../access/key-settings.ts'
import { type AccountLimits, mostKeys } from '../../core/account-limits.ts'
import { readLimits } from '../../entitlement/account-limits.ts'
import { judgeSettings, objectionToOwner, adminMayUse } from '../../entitlement/key-settings.ts'
import { SettingsRefusal } from '../../entitlement/settings-refusal.ts'
import type { KeySettingsContext } from '../../entitlement/key-settings.ts'
import type { Installation } from './apply-step.ts'
import type { DeclarativeFile } from './declarative-file.ts'
import type { DeclaredKey } from './schema.ts'

/**
 * Judges every key of the file as it would be once all else in it is applied, so that a file with an impossible key is
 * refused before anything of it is applied. Throws ConfigurationError.
 */
export async function judgeDeclaredKeys(file: DeclarativeFile, installation: Installation): Promise<void> {
  const { store, hashSecret, nowMs } = installation
  const { keys } = file.declaration
  if (keys.length === 0) return
  const catalogue = await catalogueAfter(file, installation)
  /** Keys that each account will have, by its address. */
  const counts = new Map<string, number>()
  for (const [index, declared] of keys.entries()) {
    const { hash, brought } = storedSecret(declared, hashSecret)
    const found = await store.keys.findByHash(hash, brought)
    const { account, id, limits } = await ownerAfter(declared, file, installation)
    const { maxKeyValidityDays } = limits
    const madeAt = found?.key.createdAt ?? nowMs
    judgeDeclared(declared, found?.key ?? null, { file, catalogue, index, nowMs, madeAt, maxKeyValidityDays })
    const email = declared.email.toLowerCase()
    const count = (counts.get(email) ?? (id === null ? 0 : await store.keys.countOf(id))) + (found === null ? 1 : 0)
    counts.set(email, count)
    // Likewise where the owner is disabled since.
    const toOwner = isExported(declared) ? null : objectionToOwner(account)
    const objection = found === null ? (toOwner ?? objectionToCount(count, limits)) : null
    if (objection !== null) throw file.refusal(['keys', index, 'account'], mustBe(objection))
  }
}

function isExported({ secret }: DeclaredKey): boolean {
  return typeof secret !== 'string'
}

/** The secret of a declared key as it is stored. `brought`: as a key of another gateway may have it. */
export function storedSecret(
  { secret }: DeclaredKey,
  hashSecret: Installation['hashSecret'],
): { readonly hash: string; readonly brought?: string; readonly start: string; readonly end: string } {
  if (typeof secret !== 'string') return secret
  return { hash: hashSecret(secret), brought: broughtHashOf(secret), ...displayParts(secret) }
}

/** The settings of a declared key, over what it is now (null: it is new). Throws ConfigurationError. */
export function judgeDeclared(
  declared: DeclaredKey,
  before: KeySettings | null,
  { file, index, ...context }: Omit<KeySettingsContext, 'mayUse'> & { file: DeclarativeFile; index: number },
): Partial<KeySettings> {
  try {
    // A key of an export was let in where it comes from, though its group may be disabled since.
    const mayUse = isExported(declared) ? () => true : adminMayUse
    return judgeSettings(declared, before, { ...context, mayUse })
  } catch (error) {
    if (!(error instanceof SettingsRefusal)) throw error
    throw file.refusal(['keys', index, ...error.field], mustBe(error.takes))
  }
}

/** Groups and models as they will be. A group that is new has its name for an id until then. */
async function catalogueAfter(
  { declaration }: DeclarativeFile,
  { store }: Installation,
): Promise<KeySettingsContext['catalogue']> {
  const [groups, models] = await Promise.all([store.groups.groups(), store.catalog.models()])
  const idByName = new Map(groups.map(({ id, name }) => [name, id]))
  const declared = declaration.groups.map((group): Group => ({
    ...group,
    id: idByName.get(group.name) ?? group.name,
    isManaged: true,
  }))
  return {
    groupsById: new Map([...groups, ...declared].map((group) => [group.id, group])),
    modelsByName: new Map([...models, ...declaration.models].map((model) => [model.name, model])),
  }
}

async function ownerAfter(
  { email }: DeclaredKey,
  { declaration }: DeclarativeFile,
  { store, nowMs }: Installation,
): Promise<{
  readonly account: Pick<Account, 'status'>
  /** null: the file opens it. */
  readonly id: string | null
  readonly limits: AccountLimits
}> {
  const declared = declaration.accounts.find((account) => account.email.toLowerCase() === email.toLowerCase())
  const existing = await store.accounts.findByEmail(email)
  const { limits } = declared ?? existing ?? {}
  const owner = { id: existing?.id ?? '', ...(limits === undefined ? {} : { limits }) }
  return {
    account: { status: declared?.status ?? existing?.status ?? 'active' },
    id: existing?.id ?? null,
    limits: await readLimits(owner, store, nowMs),
  }
}

function objectionToCount(count: number, limits: AccountLimits): string | null {
  const most = mostKeys(limits)
  return count <= most ? null : `an account with room for another key: this one may have ${most}`
}
