import { z } from 'zod'
import type { Account } from '../../access/account.ts'
import type { Group } from '../../access/group.ts'
import { judgeCustomKey } from '../../access/custom-key.ts'
import { displayParts, newSecret } from '../../access/key-secret.ts'
import { newId } from '../../core/ids.ts'
import type { Store } from '../../store/store.ts'
import { keyFields, keySettings } from '../declarative/key-fields.ts'
import type { KeySettings } from '../declarative/key-fields.ts'
import { suggestion } from '../nearest-name.ts'
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
      { store, settings, account, nowMs: host.nowMs() },
      { hash: hashSecret(secret), ...displayParts(secret) },
    )
    const key = await store.keys.findById(id)
    const [onWire] = key === null ? [] : await keysOnWire([key], store, host.nowMs())
    if (call.has('json')) {
      host.print(`${JSON.stringify({ key: onWire, secret })}\n`)
      return 0
    }
    host.remark(`Key ${settings.name} (${id}) of ${account.email} is made. Its secret is shown only now:\n`)
    host.print(`${secret}\n`)
    return 0
  })
}

function settingsFrom(call: Call, nowMs: number): KeySettings {
  const limits = {
    concurrency: call.text('concurrency'),
    requests_per_minute: call.text('requests-per-minute'),
    tokens_per_minute: call.text('tokens-per-minute'),
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
  if (parsed.success) return keySettings(parsed.data)
  const [issue] = parsed.error.issues
  const field = String((issue?.path[0] === 'rate_limit' ? issue.path[1] : issue?.path[0]) ?? 'name')
  const flag = field.replaceAll('_', '-')
  const given = call.list(flag)?.join(',') ?? ''
  throw new UsageError(`--${flag} is ${JSON.stringify(given)}, but it takes ${issue?.message}.`)
}

function refuseGuessable(custom: string, { account, settings }: { account: Account; settings: KeySettings }): void {
  const verdict = judgeCustomKey(custom, { email: account.email, keyName: settings.name })
  if (verdict.kind === 'refused')
    throw new CommandFailure(`custom_key_unavailable: this cannot be a key, because ${verdict.why}.`)
}

async function storedKey(
  { store, settings, account, nowMs }: { store: Store; settings: KeySettings; account: Account; nowMs: number },
  secret: { hash: string; start: string; end: string },
): Promise<string> {
  const groups = await store.groups.groups()
  const { group, fallbackGroups, status, ...fields } = settings
  await refuseUnknownModels(settings.allowedModels, store)
  const id = newId('key', nowMs)
  const key = {
    ...fields,
    id,
    accountId: account.id,
    groupId: groupNamed(group, groups).id,
    fallbackGroupIds: fallbackGroups.map((name) => groupNamed(name, groups).id),
    createdAt: nowMs,
    isManaged: false,
  }
  if (!(await store.keys.create(key, secret))) {
    throw new CommandFailure('custom_key_unavailable: another key has this secret, or had it: choose another one.')
  }
  if (status === 'disabled') await store.keys.setStatus(id, 'disabled', nowMs)
  return id
}

function groupNamed(name: string, groups: readonly Group[]): Group {
  const group = groups.find((each) => each.name === name)
  if (group === undefined) {
    const names = groups.map((each) => each.name)
    const hint = suggestion(name, names) || `; there are ${names.join(', ') || 'none'}.`
    throw new CommandFailure(`There is no group "${name}"${hint}`)
  }
  if (!group.isEnabled) throw new CommandFailure(`The group "${name}" is disabled: enable it first, or choose another.`)
  return group
}

async function refuseUnknownModels(names: readonly string[], store: Store): Promise<void> {
  const known = names.length === 0 ? [] : (await store.catalog.models()).map((model) => model.name)
  const wrong = names.find((name) => !known.includes(name))
  if (wrong !== undefined) throw new CommandFailure(`There is no model "${wrong}"${suggestion(wrong, known) || '.'}`)
}
