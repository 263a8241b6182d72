import type { Account } from '../../access/account.ts'
import type { ApiKey } from '../../access/api-key.ts'
import type { KeyStore } from '../../access/key-store.ts'
import { settingsOnWire } from '../../access/key-settings.ts'
import { afterRaise } from '../../access/quota-raise.ts'

/** What the entries of keys are written from. */
export interface KeyEntriesAbout {
  readonly store: { readonly keys: Pick<KeyStore, 'secretHashOf'> }
  readonly nowMs: number
  readonly accounts: readonly Account[]
  readonly models: readonly { readonly name: string }[]
  readonly nameOfGroup: (id: string) => string
  /** Gets a sentence for each thing that the file cannot say. */
  readonly remarks: string[]
}

/** Keys as an export has them: their secrets as hashes alone, and their quotas as they are without a raise. */
export async function keyEntries(keys: readonly ApiKey[], about: KeyEntriesAbout): Promise<readonly object[]> {
  const { store, accounts, nameOfGroup, remarks, nowMs } = about
  const emails = new Map(accounts.map(({ id, email }) => [id, email]))
  const known = new Set(about.models.map(({ name }) => name))
  const names = new Set<string>()
  const entries: object[] = []
  for (const key of keys) {
    const email = emails.get(key.accountId)
    const hash = await store.keys.secretHashOf(key.id)
    if (email === undefined || hash === null) continue
    if (key.expiresAt !== null && key.expiresAt <= nowMs) {
      remarks.push(`The key ${key.name} of ${email} is left out: it has expired.`)
      continue
    }
    const settings = settingsOnWire(afterRaise(key), nameOfGroup)
    const allowed = settings.allowed_models.filter((name) => known.has(name))
    // An empty list would allow all.
    const isStopped = settings.allowed_models.length > 0 && allowed.length === 0
    if (isStopped) remarks.push(`The key ${key.name} of ${email} is disabled: no model that it may call is left.`)
    entries.push({
      account: email,
      secret_hash: hash,
      secret_start: key.secretStart,
      secret_end: key.secretEnd,
      ...settings,
      allowed_models: allowed,
      name: uniqueName(key.name, email, names),
      status: isStopped ? 'disabled' : key.status,
    })
  }
  return entries
}

/** Names of keys are unique in an account of the file. */
function uniqueName(name: string, email: string, taken: Set<string>): string {
  const placeOf = (each: string) => `${email.toLowerCase()}\n${each}`
  let free = name
  for (let number = 2; taken.has(placeOf(free)); number++) free = `${name.slice(0, 90)} (${number})`
  taken.add(placeOf(free))
  return free
}
