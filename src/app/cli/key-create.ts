import { forEachCount } from '../../core/counted-limits.ts'
import { z } from 'zod'
import type { Account } from '../../access/account.ts'
import { judgeCustomKey } from '../../access/custom-key.ts'
import { displayParts, newSecret } from '../../access/key-secret.ts'
import { newId } from '../../core/ids.ts'
import { catalogueOf } from '../../entitlement/catalogue.ts'
import {
  judgeSettings,
  type KeySettings,
  newKey,
  objectionToOwner,
  operatorMayUse,
  SettingsRefusal,
} from '../../entitlement/key-settings.ts'
import type { Store } from '../../store/store.ts'
import { keyFields, type WrittenKey, writtenKey } from '../declarative/key-fields.ts'
import { accountByEmail } from './account-commands.ts'
import type { CommandRun } from './command.ts'
import { keysOnWire } from './key-commands.ts'
import type { Call } from './command.ts'
import { readSecretLine } from './read-input.ts'
import { momentFromNow } from './read-value.ts'
import { withInstallation } from './with-installation.ts'
import { CommandFailure, UsageError } from './cli-host.ts'

/** Prints the secret, and nothing else, to stdout: `KEY=$(tollgate key create …)` works. */
export const createKey: CommandRun = async (call, host) => {
  const settings = settingsFrom(call, host.nowMs())
  const custom = call.has('custom-key-stdin') ? await readSecretLine(host, 'the custom key') : null
  return withInstallation(host, async ({ store, hashSecret }) => {
    const account = await accountByEmail(store.accounts, call.required('account'))
    if (custom !== null) refuseGuessable(custom, { account, settings })
    const secret = custom ?? newSecret((count) => host.randomBytes(count))
    const id = await storedKey(
      { store, wanted: settings, account, nowMs: host.nowMs() },
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

function settingsFrom(call: Call, nowMs: number): WrittenKey {
  const limits = {
    ...forEachCount((field) => call.text(field.replaceAll('_', '-'))),
    spend: call.list('spend')?.map((limit) => ({ window: limit.split('=')[0], usd: limit.split('=')[1] })) ?? null,
  }
  const expiresAt = call.text('expires-at')
  const isLimited = Object.values(limits).some((limit) => limit !== null)
  const parsed = z.strictObject(keyFields).safeParse({
    name: call.required('name'),
    group: call.required('group'),
    fallback_groups: call.list('fallback-groups'),
    quota_limit: call.text('quota-limit'),
    quota_reset: call.text('quota-reset'),
    rate_limit: isLimited ? limits : null,
    expires_at: expiresAt === null ? null : momentFromNow(expiresAt, nowMs),
    allowed_models: call.list('allowed-models'),
    allowed_ips: call.list('allowed-ips'),
    status: call.text('status'),
  })
  if (parsed.success) return writtenKey(parsed.data)
  const [issue] = parsed.error.issues
  const field = String((issue?.path[0] === 'rate_limit' ? issue.path[1] : issue?.path[0]) ?? 'name')
  const flag = field.replaceAll('_', '-')
  const given = call.list(flag)?.join(',') ?? ''
  throw new UsageError(`--${flag} is ${JSON.stringify(given)}, but it takes ${issue?.message}.`)
}

function refuseGuessable(custom: string, { account, settings }: { account: Account; settings: WrittenKey }): void {
  const verdict = judgeCustomKey(custom, { email: account.email, keyName: settings.name })
  if (verdict.kind === 'refused')
    throw new CommandFailure(`custom_key_unavailable: this value cannot be used as a key, because ${verdict.why}.`)
}

async function storedKey(
  { store, wanted, account, nowMs }: { store: Store; wanted: WrittenKey; account: Account; nowMs: number },
  secret: { hash: string; start: string; end: string },
): Promise<string> {
  const settings = await judged({ store, wanted, account, nowMs })
  const id = newId('key', nowMs)
  const key = newKey(settings, { id, accountId: account.id, createdAt: nowMs, isManaged: false })
  if (!(await store.keys.create(key, secret))) {
    throw new CommandFailure('custom_key_unavailable: another key has or had this secret: choose another one.')
  }
  if (wanted.status === 'disabled') await store.keys.setStatus(id, 'disabled', nowMs)
  return id
}

async function judged({
  store,
  wanted,
  account,
  nowMs,
}: {
  store: Store
  wanted: WrittenKey
  account: Account
  nowMs: number
}): Promise<Partial<KeySettings>> {
  const objection = objectionToOwner(account)
  if (objection !== null) throw new CommandFailure(`--account is "${account.email}", but it takes ${objection}.`)
  const [groups, models] = await Promise.all([store.groups.groups(), store.catalog.models()])
  const catalogue = catalogueOf({ groups, models, upstreams: [] })
  try {
    return judgeSettings(wanted, null, { catalogue, nowMs, mayUse: operatorMayUse })
  } catch (error) {
    throw error instanceof SettingsRefusal ? new CommandFailure(sentenceFor(error, wanted)) : error
  }
}

/** The flags that a refusal can be about, with what was given. */
function sentenceFor({ field: [name, place], takes }: SettingsRefusal, wanted: WrittenKey): string {
  const given: Readonly<Record<string, readonly string[]>> = {
    group: [wanted.group],
    fallback_groups: wanted.fallbackGroups,
    allowed_models: wanted.allowedModels,
    expires_at: wanted.expiresAt === null ? [] : [new Date(wanted.expiresAt).toISOString()],
  }
  const value = given[name]?.[typeof place === 'number' ? place : 0]
  const flag = `--${name.replaceAll('_', '-')}`
  return value === undefined ? `${flag} takes ${takes}.` : `${flag} is ${JSON.stringify(value)}, but it takes ${takes}.`
}
