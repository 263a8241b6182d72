import { stringify } from 'yaml'
import { setLimitsOnWire } from '../../contract/objects/account-limits.ts'
import type { Account } from '../../access/account.ts'
import { type Group, groupNames } from '../../access/group.ts'
import type { RecordQuery } from '../../access/sign-in-records.ts'
import { readSettings } from '../../control/settings/instance-settings.ts'
import { arePaymentsStored } from '../../control/payments/stored-settings.ts'
import { writtenModel, writtenUpstream } from '../../control/written-settings.ts'
import { DECLARATIVE_FILE_LIMIT_BYTES } from './file-bounds.ts'
import { formatUsd } from '../../core/money.ts'
import type { Sealer } from '../../core/secret-box.ts'
import type { Model } from '../../routing/catalog.ts'
import type { Store } from '../../store/store.ts'
import { keyEntries } from './export-keys.ts'
import { writtenGroup, writtenPlan, writtenRights } from './written-entries.ts'

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
  const keys = stored.filter(({ isForPlayground }) => isForPlayground !== true)
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
