import { mustBe } from '../../core/must-be.ts'
import { z } from 'zod'
import type { Account } from '../../access/account.ts'
import { broughtHashOf } from '../../access/brought-key.ts'
import { objectionToCustomKey } from '../../access/custom-key.ts'
import type { KeySettings } from '../../access/key-settings.ts'
import { displayParts, newSecret } from '../../access/key-secret.ts'
import { keyCreated } from '../../control/audit/key-notes.ts'
import { forEachCount } from '../../core/counted-limits.ts'
import { newId } from '../../core/ids.ts'
import { catalogueOf } from '../../entitlement/catalogue.ts'
import { readLimits } from '../../entitlement/account-limits.ts'
import { judgeSettings, newKey, objectionToOwner, adminMayUse } from '../../entitlement/key-settings.ts'
import { SettingsRefusal } from '../../entitlement/settings-refusal.ts'
import type { Store } from '../../store/store.ts'
import { keyFields, type WrittenKey, writtenKey } from '../declarative/key-fields.ts'
import { accountByEmail } from './account-commands.ts'
import { auditedChange } from '../audited-change.ts'
import type { CommandRun, Invocation } from './command.ts'
import { keysOnWire } from './key-commands.ts'
import { flagOf, SETTING_FLAGS } from './key-flags.ts'
import { readSecretLine, momentFromNow } from './read-value.ts'
import { withInstallation } from './with-installation.ts'
import { CommandFailure, UsageError } from './cli-host.ts'

/** Prints the secret, and nothing else, to stdout: `KEY=$(tollgate key create …)` works. */
export const createKey: CommandRun = async (call, host) => {
  const sent = sentBy(call, host.nowMs())
  const settings = settingsFrom(sent, call)
  const custom = call.has('custom-key-stdin') ? await readSecretLine(host, 'the custom key') : null
  return withInstallation(host, async ({ store, hashSecret }) => {
    const account = await accountByEmail(store.accounts, call.required('account'))
    if (custom !== null) refuseGuessable(custom, { account, settings })
    const secret = custom ?? newSecret((count) => host.randomBytes(count))
    if (custom !== null && (await store.keys.findByHash(hashSecret(custom), broughtHashOf(custom))) !== null)
      refuseTaken()
    const id = await storedKey(
      { store, sent, wanted: settings, account, isCustom: custom !== null, nowMs: host.nowMs() },
      { hash: hashSecret(secret), ...displayParts(secret) },
    )
    const key = await store.keys.findById(id)
    const [onWire] = key === null ? [] : await keysOnWire([key], store, host.nowMs())
    if (call.has('json')) {
      host.print(`${JSON.stringify({ key: onWire, secret })}\n`)
      return 0
    }
    host.remark(`Key ${settings.name} (${id}) of ${account.email} was created. Its secret is shown only once:\n`)
    host.print(`${secret}\n`)
    return 0
  })
}

type WrittenFlags = Readonly<Record<string, unknown>>

/** What the flags say, in the form of the declarative file. */
function sentBy(call: Invocation, nowMs: number): WrittenFlags {
  const fields = Object.entries(SETTING_FLAGS).map(([flag, { isList }]): [string, unknown] => [
    flag.replaceAll('-', '_'),
    isList === true ? call.list(flag) : call.text(flag),
  ])
  const limits = {
    ...forEachCount((field) => call.text(flagOf(field))),
    spend: call.list('spend')?.map((limit) => ({ window: limit.split('=')[0], usd: limit.split('=')[1] })) ?? null,
  }
  const expiresAt = call.text('expires-at')
  return {
    ...Object.fromEntries(fields),
    expires_at: expiresAt === null ? null : momentFromNow(expiresAt, nowMs),
    rate_limit: Object.values(limits).some((limit) => limit !== null) ? limits : null,
    status: call.text('status'),
  }
}

function settingsFrom(sent: WrittenFlags, call: Invocation): WrittenKey {
  const parsed = z.strictObject(keyFields).safeParse(sent)
  if (parsed.success) return writtenKey(parsed.data)
  const [issue] = parsed.error.issues
  const field = String((issue?.path[0] === 'rate_limit' ? issue.path[1] : issue?.path[0]) ?? 'name')
  const flag = flagOf(field)
  const given = call.list(flag)?.join(',') ?? ''
  throw new UsageError(`--${flag} is ${JSON.stringify(given)}, but it ${mustBe(issue?.message ?? '')}.`)
}

function refuseGuessable(custom: string, { account, settings }: { account: Account; settings: WrittenKey }): void {
  const why = objectionToCustomKey(custom, { email: account.email, keyName: settings.name })
  if (why !== null)
    throw new CommandFailure(`custom_key_unavailable: this value cannot be used as a key, because ${why}.`)
}

interface KeyCommand {
  readonly store: Store
  readonly sent: WrittenFlags
  readonly wanted: WrittenKey
  readonly account: Account
  readonly isCustom: boolean
  readonly nowMs: number
}

async function storedKey(order: KeyCommand, secret: { hash: string; start: string; end: string }): Promise<string> {
  const { store, wanted, account, isCustom, nowMs } = order
  const settings = await judged(order)
  const id = newId('key', nowMs)
  const key = newKey(settings, { id, accountId: account.id, createdAt: nowMs, isManaged: false })
  const isDisabled = wanted.status === 'disabled'
  await auditedChange({ store, nowMs }, async ({ keys, groups }, audit) => {
    const creation = await keys.create(key, secret)
    if (creation.kind === 'too_many') throw new CommandFailure(tooManyKeys(account, creation.most))
    if (creation.kind === 'taken') refuseTaken()
    if (isDisabled) await keys.setStatus(id, 'disabled', nowMs)
    await audit(keyCreated(key, { groups: await groups.groups(), isCustom, isDisabled }))
  })
  return id
}

function refuseTaken(): never {
  throw new CommandFailure('custom_key_unavailable: another key has or had this secret: choose another one.')
}

function tooManyKeys({ email }: Account, most: number): string {
  return `too_many_keys: ${email} has as many API keys as it may have, ${most}: delete one with "tollgate key delete", or raise its limit max_keys.`
}

async function judged({ store, sent, wanted, account, nowMs }: KeyCommand): Promise<Partial<KeySettings>> {
  const objection = objectionToOwner(account)
  if (objection !== null) throw new CommandFailure(`--account is "${account.email}", but it ${mustBe(objection)}.`)
  const [groups, models] = await Promise.all([store.groups.groups(), store.catalog.models()])
  const catalogue = catalogueOf({ groups, models, upstreams: [] })
  const { maxKeyValidityDays } = await readLimits(account, store, nowMs)
  try {
    return judgeSettings(wanted, null, { catalogue, nowMs, madeAt: nowMs, maxKeyValidityDays, mayUse: adminMayUse })
  } catch (error) {
    if (!(error instanceof SettingsRefusal)) throw error
    const expiresAt = wanted.expiresAt === null ? null : new Date(wanted.expiresAt).toISOString()
    throw new CommandFailure(sentenceFor(error, { ...sent, expires_at: expiresAt }))
  }
}

/** Names the flag that a refusal is about, with what was given. */
function sentenceFor({ field: [name, index], takes }: SettingsRefusal, sent: WrittenFlags): string {
  const value: unknown = [sent[name]].flat()[typeof index === 'number' ? index : 0]
  const flag = `--${flagOf(name)}`
  return typeof value === 'string'
    ? `${flag} is ${JSON.stringify(value)}, but it ${mustBe(takes)}.`
    : `${flag} cannot be used: it ${mustBe(takes)}.`
}
