import { stringify } from 'yaml'
import { setLimitsOnWire } from '../../contract/objects/account-limits.ts'
import type { Account } from '../../access/account.ts'
import { type Group, groupNames } from '../../access/group.ts'
import type { RecordQuery } from '../../access/sign-in-records.ts'
import { readSettings } from '../../control/settings/instance-settings.ts'
import { arePaymentsStored } from '../../control/payments/stored-settings.ts'
import { writtenModel, writtenUpstream } from '../../control/written-settings.ts'
import { formatUsd } from '../../core/money.ts'
import type { Sealer } from '../../core/secret-box.ts'
import type { Model } from '../../routing/catalog.ts'
import type { Store } from '../../store/store.ts'
import { writtenGroup, writtenPlan, writtenRights } from './written-entries.ts'
import type { ApiKey } from '../../access/api-key.ts'
import type { KeyStore } from '../../access/key-store.ts'
import { settingsOnWire } from '../../access/key-settings.ts'
import { afterRaise } from '../../access/quota-raise.ts'
import { DECLARATIVE_FILE_LIMIT_BYTES } from './located-yaml.ts'

/** What an export is made of. */
export interface ExportOptions {
  readonly store: Store
  /** Writes credentials and headers of upstreams in plain text; null: as they are encrypted. */
  readonly opener: Sealer | null
  readonly nowMs: number
}

export interface Exported {
  readonly text: string
  /** A sentence for each thing that the file could not say. */
  readonly remarks: readonly string[]
}

/** An export by the API asks a few things of each account and key beside running requests; larger ones are for the command. */
export const EXPORTED_ACCOUNTS_LIMIT = 1_000
export const EXPORTED_KEYS_LIMIT = 5_000

/** How many accounts and keys are looked at: a file that can be applied has room for a part of them. */
const LOOKED_AT = 100_000
/** Subscriptions of an account that are looked at. */
const SUBSCRIPTIONS = 100

/**
 * The installation as a declarative file, which makes the same one of an empty one with the same TOLLGATE_SECRET. Of the secrets
 * of keys and of passwords there are hashes alone. What was used and the books stay behind: a balance is what is left of it.
 */
export async function exportFile({ store, opener, nowMs }: ExportOptions): Promise<Exported> {
  const remarks: string[] = []
  const [upstreams, models, groups, plans] = await Promise.all([
    store.catalog.upstreams(),
    store.catalog.models(),
    store.groups.groups(),
    store.plans.plans(),
  ])
  const states = (await store.catalog.credentialStates()).filter(({ isDisabled }) => isDisabled)
  const disabled = new Set(states.map(({ upstreamId, name }) => `${upstreamId} ${name}`))
  const accounts = await store.accounts.list(LOOKED_AT)
  const stored = await store.keys.list({ limit: LOOKED_AT })
  const keys = stored.filter(({ isForPlayground, device }) => isForPlayground !== true && device === undefined)
  const nameOfGroup = groupNames(groups)
  const accountEntries = []
  for (const account of accounts) {
    accountEntries.push(await accountEntry(account, { store, nowMs, remarks, plans, groups }))
  }
  remarks.push(
    ...(await signInRemarks(accounts, store)),
    ...(await leftBehindRemarks(store)),
    ...plannedRemarks(models),
  )
  const file = {
    upstreams: upstreams.map((upstream) =>
      writtenUpstream(upstream, {
        secret: (sealed) => opener?.open(sealed) ?? sealed,
        isDisabled: (name) => disabled.has(`${upstream.id} ${name}`),
      }),
    ),
    models: models.map((model) => writtenModel(model, { upstreams, groups })),
    groups: groups.map(writtenGroup),
    plans: plans.map((plan) => writtenPlan(plan, nameOfGroup)),
    accounts: accountEntries,
    keys: await keyEntries(keys, { store, accounts, nameOfGroup, remarks, nowMs, models }),
    settings: {
      ...(await readSettings(store.settings)),
      account_limits: setLimitsOnWire((await store.accounts.standardLimits()) ?? undefined),
    },
  }
  const text = stringify(escaped(file), {
    lineWidth: 0,
    aliasDuplicateObjects: false,
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
  })
  const bytes = Buffer.byteLength(text)
  if (bytes > DECLARATIVE_FILE_LIMIT_BYTES) {
    remarks.push(
      `The file has ${bytes} bytes, and one of ${DECLARATIVE_FILE_LIMIT_BYTES} at most can be applied: leave keys out of it, and move those with a copy of the database.`,
    )
  }
  return { text, remarks }
}

async function accountEntry(
  account: Account,
  about: Pick<ExportOptions, 'store' | 'nowMs'> & {
    readonly remarks: string[]
    readonly plans: readonly { readonly name: string }[]
    readonly groups: readonly Group[]
  },
) {
  const { store, nowMs, remarks, plans, groups } = about
  const balance = await store.ledger.balance(account.id)
  const passwordHash = await store.accounts.passwordHash(account.id)
  if (balance < 0n) remarks.push(`${account.email} owes ${formatUsd(balance)}, which a file cannot say.`)
  const isLive = ({ cancelledAt, endsAt }: { cancelledAt: number | null; endsAt: number }) =>
    cancelledAt === null && endsAt > nowMs
  const live = (await store.subscriptions.list(account.id, SUBSCRIPTIONS)).filter(isLive)
  const known = live.filter(({ planName }) => plans.some(({ name }) => name === planName))
  for (const { planName } of live.filter((each) => !known.includes(each))) {
    remarks.push(`A subscription of ${account.email} to ${planName} is left out: that plan is gone.`)
  }
  return {
    email: account.email,
    ...(passwordHash === null ? {} : { password_hash: passwordHash }),
    ...writtenRights(account, groups),
    ...(balance > 0n ? { balance: formatUsd(balance) } : {}),
    ...(known.length === 0
      ? {}
      : {
          subscriptions: known.map(({ planName, startsAt, endsAt }) => ({
            plan: planName,
            starts_at: new Date(startsAt).toISOString(),
            ends_at: new Date(endsAt).toISOString(),
          })),
        }),
  }
}

/** So many addresses are named in a remark. */
const NAMED = 5

/** Who has a second step or a passkey: both are bound to the installation that they were set up at. */
async function signInRemarks(
  accounts: readonly Account[],
  { signInRecords }: Pick<Store, 'signInRecords'>,
): Promise<readonly string[]> {
  const ownersOf = async (kind: 'secondFactor' | 'passkey', where: RecordQuery['where']) => {
    const records = await signInRecords.select(kind, { where, limit: LOOKED_AT })
    const ids = new Set(records.map(({ accountId }) => accountId))
    return accounts.filter(({ id }) => ids.has(id)).map(({ email }) => email)
  }
  const remark = (emails: readonly string[], what: string) =>
    emails.length === 0 ? [] : [`${what} left out, and have to be set up again: ${firstOf(emails)}.`]
  return [
    ...remark(
      await ownersOf('secondFactor', [{ field: 'isConfirmed', is: '=', value: true }]),
      'Second steps of sign-in are',
    ),
    ...remark(await ownersOf('passkey', []), 'Passkeys are'),
  ]
}

/** What a file has no entries for: each remark only where there is some of it. */
async function leftBehindRemarks(
  store: Pick<Store, 'announcements' | 'redeemCodes' | 'settings'>,
): Promise<readonly string[]> {
  const remarks: string[] = []
  // Keys of payment providers are bound to the URLs that they report to.
  if (await arePaymentsStored(store.settings)) {
    remarks.push('The settings of payments are left out, and have to be set again on the console or by the API.')
  }
  if ((await store.redeemCodes.list(1)).length > 0) {
    remarks.push('Redeem codes are left out: those that were handed out do not work on another installation.')
  }
  if ((await store.announcements.announcements()).length > 0) {
    remarks.push('Announcements are left out, and have to be written again on the console or by the API.')
  }
  return remarks
}

/** A file has the prices of now. */
function plannedRemarks(models: readonly Model[]): readonly string[] {
  const planned = models.filter(({ scheduled }) => scheduled !== undefined).map(({ name }) => name)
  if (planned.length === 0) return []
  return [`Prices that are planned are left out, and have to be planned again: ${firstOf(planned)}.`]
}

function firstOf(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return `${names.slice(0, NAMED).join(', ')}${more}`
}

/** References to the environment begin with `${`, so a text that has it says it with another sign before. */
function escaped(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${')
  if (Array.isArray(value)) return value.map(escaped)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, escaped(each)]))
}

/** The installation as a declarative file, secrets encrypted; null: it is too large to be made beside requests. */
export async function boundedExport(store: Store, nowMs: number): Promise<Exported | null> {
  const [accounts, keys] = await Promise.all([
    store.accounts.list(EXPORTED_ACCOUNTS_LIMIT + 1),
    store.keys.list({ limit: EXPORTED_KEYS_LIMIT + 1 }),
  ])
  if (accounts.length > EXPORTED_ACCOUNTS_LIMIT || keys.length > EXPORTED_KEYS_LIMIT) return null
  const exported = await exportFile({ store, opener: null, nowMs })
  return Buffer.byteLength(exported.text) > DECLARATIVE_FILE_LIMIT_BYTES ? null : exported
}

/** What the entries of keys are written from. */
interface KeyEntriesAbout {
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
