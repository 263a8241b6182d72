import type { z } from '@hono/zod-openapi'
import { mustBe } from '../../core/must-be.ts'
import type { keyCreate } from '../../contract/keys.ts'
import type { Account } from '../../access/account.ts'
import type { ApiKey } from '../../access/api-key.ts'
import { broughtHashOf } from '../../access/brought-key.ts'
import { objectionToCustomKey } from '../../access/custom-key.ts'
import type { Group } from '../../access/group.ts'
import { displayParts, newSecret } from '../../access/key-secret.ts'
import { type Actor, actorId } from '../who/actor.ts'
import { keyCreated } from '../audit/key-notes.ts'
import { type ListedCatalogue, mayUse, readCatalogue, type Viewer } from '../catalogue.ts'
import { type KeySettings, type SentSettings, wantedOf } from '../../access/key-settings.ts'
import { readLimits } from '../../entitlement/account-limits.ts'
import { judgeSettings, type KeySettingsContext, newKey, objectionToOwner } from '../../entitlement/key-settings.ts'
import { SettingsRefusal } from '../../entitlement/settings-refusal.ts'
import type { ControlParts } from '../parts.ts'
import { fieldProblem, Problem } from '../problem.ts'
import type { ApiCall } from '../api/route.ts'
import { viewerOfAccount } from '../who/viewer.ts'

/** A bound of the contract. */
const CUSTOM_KEY_REFUSALS_PER_HOUR = 5

interface KeyRequest extends Pick<ApiCall, 'change'> {
  readonly actor: Actor
  readonly body: z.output<typeof keyCreate>
  readonly nowMs: number
}

/** Makes the key that was ordered for an account, with its audit entry, and returns its secret this once. Throws Problem. */
export async function createdKey(
  order: KeyRequest,
  parts: ControlParts,
  accountId: string,
): Promise<{ readonly key: ApiKey; readonly secret: string }> {
  const { store } = parts
  const [account, owner, catalogue] = await Promise.all([
    store.accounts.findById(accountId),
    viewerOfAccount(accountId, store, order.nowMs),
    readCatalogue(store),
  ])
  if (account === null)
    throw fieldProblem('account_id', 'account_id must be the id of an account; there is none with this id.')
  const objection = objectionToOwner(account)
  if (objection !== null) throw fieldProblem('account_id', `account_id ${mustBe(objection)}.`)
  const { custom_key: custom, account_id: _, playground: isForPlayground, ...wanted } = order.body
  const { maxKeyValidityDays } = await readLimits(account, store, order.nowMs)
  const context = { owner, catalogue, nowMs: order.nowMs, madeAt: order.nowMs, maxKeyValidityDays }
  const settings = readKeySettings(wanted, null, context)
  if (isForPlayground) requireSoonEnd(settings.expiresAt ?? null, order.nowMs)
  const insertWith = (secret: string) => insert(secret, { settings, accountId, order, parts, groups: catalogue.groups })
  if (custom !== undefined) {
    const key = await withCustomKey(custom, { order, parts, account, store: insertWith })
    return { key, secret: custom }
  }
  const secret = newSecret(parts.randomBytes)
  const key = await insertWith(secret)
  if (key === null) throw new Error('a generated secret is taken: the source of randomness is broken')
  return { key, secret }
}

/**
 * Every refusal takes the same way and says the same: whether a key is taken, forbidden or easy to guess is not for callers to
 * find out, and who tries often is locked out of the option.
 */
async function withCustomKey(
  secret: string,
  context: {
    order: KeyRequest
    parts: ControlParts
    account: Account
    store: (secret: string) => Promise<ApiKey | null>
  },
): Promise<ApiKey> {
  const { order, parts, account } = context
  const { attemptLimiter } = parts.store
  const guessId = parts.newId('gss')
  const entered = await attemptLimiter.enter({
    id: guessId,
    about: 'custom_key',
    // The admin token creates keys for many accounts, and one of them must not lock the option for all.
    asker: order.actor.kind === 'admin_token' ? `admin_token for ${account.id}` : actorId(order.actor),
    limit: CUSTOM_KEY_REFUSALS_PER_HOUR,
    nowMs: order.nowMs,
  })
  if (entered.kind === 'locked') throw locked(Math.ceil((entered.untilMs - order.nowMs) / 1000))
  let isRefused = false
  try {
    const found = await parts.store.keys.findByHash(parts.hashes.apiKey(secret), broughtHashOf(secret))
    const isTaken = found !== null
    const objection = objectionToCustomKey(secret, { email: account.email, keyName: order.body.name })
    const key = isTaken || objection !== null ? null : await context.store(secret)
    isRefused = key === null
    if (key === null) throw unavailable()
    return key
  } finally {
    if (!isRefused) await attemptLimiter.refund(guessId)
  }
}

async function insert(
  secret: string,
  about: {
    settings: Partial<KeySettings>
    accountId: string
    order: KeyRequest
    parts: ControlParts
    groups: readonly Group[]
  },
): Promise<ApiKey | null> {
  const { settings, accountId, parts, groups } = about
  const { change, body, nowMs } = about.order
  const { start, end } = displayParts(secret)
  const made = { id: parts.newId('key'), accountId, createdAt: nowMs, isManaged: false }
  const key = newKey(settings, body.playground ? { ...made, isForPlayground: true } : made)
  const isNew = await change(async ({ keys }, audit) => {
    const creation = await keys.create(key, { hash: parts.hashes.apiKey(secret), start, end })
    if (creation.kind === 'too_many')
      throw body.playground && creation.most > 0 ? tooManyVisits(creation.most) : tooManyKeys(creation.most)
    if (creation.kind === 'taken') return false
    await audit(keyCreated(key, { groups, isCustom: body.custom_key !== undefined }))
    return true
  })
  if (!isNew) return null
  return { ...key, status: 'active', statusChangedAt: nowMs, secretStart: start, secretEnd: end, overlap: null }
}

function tooManyKeys(most: number): Problem {
  return new Problem(
    'too_many_keys',
    `This account may have ${most === 1 ? '1 API key' : `${most} API keys`}, and has as many. Delete one that is not needed any more, or ask an admin to raise the account's limit "max_keys".`,
  )
}

function tooManyVisits(most: number): Problem {
  return new Problem(
    'too_many_keys',
    `This account may have ${most} keys of the playground at once, and has as many. They end by themselves within a day; close other windows of the playground, or delete these keys.`,
  )
}

function unavailable(): Problem {
  return new Problem(
    'custom_key_unavailable',
    'This value cannot be used as a key. A custom key is hard to guess, is not in use and does not begin with sk-tg-. Choose another one, or leave custom_key out to have the secret generated, which is the better choice.',
    { field: 'custom_key' },
  )
}

function locked(seconds: number): Problem {
  return new Problem(
    'custom_key_locked',
    'Too many custom keys were refused within an hour. Leave custom_key out to have the secret generated, or try again later.',
    { field: 'custom_key', retryAfterSeconds: Math.max(1, seconds) },
  )
}

/**
 * Reads what was sent as the settings of a key, over what it is now (null: it is being created, and everything is sent).
 * `owner` is whose key it is: groups and models are theirs to use or not. Throws Problem.
 */
export function readKeySettings(
  sent: SentSettings,
  before: KeySettings | null,
  {
    owner,
    ...context
  }: Omit<KeySettingsContext, 'catalogue' | 'mayUse'> & { owner: Viewer; catalogue: ListedCatalogue },
): Partial<KeySettings> {
  try {
    return judgeSettings(wantedOf(sent), before, { ...context, mayUse: (group) => mayUse(group, owner) })
  } catch (error) {
    throw error instanceof SettingsRefusal ? refused(error) : error
  }
}

function refused({ field, message, form, values }: SettingsRefusal): Problem {
  return fieldProblem(field.join('.'), `${message}.`, { form, values })
}

const LONGEST_MS = 24 * 3_600_000

/**
 * Lists leave out the keys of the console's playground, so each of them ends within a day of its creation: what is not seen
 * must not last. Throws Problem.
 */
export function requireSoonEnd(expiresAt: number | null, madeAt: number): void {
  const latest = madeAt + LONGEST_MS
  if (expiresAt !== null && expiresAt <= latest) return
  throw fieldProblem(
    'expires_at',
    'expires_at must be a time within 24 hours of the creation of a key for the playground.',
    { form: 'time_until', values: [new Date(latest).toISOString(), '1'] },
  )
}
