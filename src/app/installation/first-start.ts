import type { Account } from '../../access/account.ts'
import { displayParts, newSecret } from '../../access/key-secret.ts'
import { newId } from '../../core/ids.ts'
import { invariant } from '../../core/invariant.ts'
import { ONE_PPM, parseUsd } from '../../core/money.ts'
import { newKey } from '../../entitlement/key-settings.ts'
import type { Store } from '../../store/store.ts'
import { createDemoCatalog } from './demo-catalog.ts'
import { isProcessAlive } from '../../cluster/host-process.ts'

/** A setup that is prepared, and whose secrets were not shown yet. */
export interface FirstStart {
  /** Prints what is shown this once, and marks the setup as finished. To be called when the gateway listens. */
  announce(origin: string, print: (text: string) => void): Promise<void>
}

export interface FirstStartOptions {
  readonly store: Pick<Store, 'accounts' | 'catalog' | 'groups' | 'keys' | 'ledger' | 'settings'>
  readonly hashSecret: (secret: string) => string
  readonly hashLink: (token: string) => string
  /** TOLLGATE_DEMO. */
  readonly wantsDemo: boolean
  /** The declarative file defines something: then that is what the admin wants, and no demo objects beside it. */
  readonly hasDeclaration: boolean
  readonly randomBytes: (count: number) => Buffer
  readonly nowMs: number
  readonly thisProcess: { readonly host: string; readonly id: number }
  /** Of the embedded database, as it is shown; null: the database is elsewhere. */
  readonly dataDirectory: string | null
}

/**
 * Sets an empty installation up: an admin account with a one-time link, the group `default`, and with `wantsDemo` the demo
 * upstream with its models, a key and $10. Without demo objects only what is missing for signing in. null when
 * there is nothing (more) to do. A setup that was cut short is done again: a key whose secret was never shown is
 * deleted, and a new one shown.
 */
export async function prepareFirstStart(options: FirstStartOptions): Promise<FirstStart | null> {
  const { store, nowMs } = options
  const unfinished = await readProgress(store.settings)
  if (unfinished === 'finished' || isInOtherHands(unfinished, options)) return null
  const plan = unfinished ?? (await planFor(options))
  if (plan === null) {
    await store.settings.write(PROGRESS, 'finished')
    return null
  }
  const keyId = plan.withDemo ? newId('key', nowMs) : null
  const progress: Progress = { ...plan, keyId, wasShown: false, ...inNameOf(options.thisProcess) }
  await forgetUnseenKey(unfinished, options)
  if (unfinished === null) {
    // Of several processes that start at the same moment one sets up, and prints what is shown once.
    const mine = JSON.stringify(progress)
    if ((await store.settings.writeOnce(PROGRESS, mine)) !== mine) return null
  } else await store.settings.write(PROGRESS, JSON.stringify(progress))
  const admin = await adminAccount(options)
  const groupId = await defaultGroup(options)
  const secret = keyId === null ? null : await demoObjects(options, { keyId, groupId, accountId: admin.id })
  const token = options.randomBytes(32).toString('base64url')
  await store.settings.write(SET_UP_ACCOUNT, admin.id)
  await store.settings.write(SET_UP_LINK, options.hashLink(token))
  return {
    async announce(origin, print) {
      await store.settings.write(PROGRESS, JSON.stringify({ ...progress, wasShown: true }))
      print(textFor({ origin, token, secret, email: admin.email, dataDirectory: options.dataDirectory }))
      await store.settings.write(PROGRESS, 'finished')
    },
  }
}

const PROGRESS = 'first_start'
/** Sign-in reads these: the hash of the link's token, and the account that it signs in. */
const SET_UP_LINK = 'set_up_link'
const SET_UP_ACCOUNT = 'set_up_account'
const FIRST_ADMIN = 'admin@localhost'
const DEMO_BALANCE = parseUsd('10')
const ACCOUNTS_LOOKED_AT = 1000

interface Progress {
  readonly withDemo: boolean
  readonly keyId: string | null
  /** Was about to be printed: it may have been seen. */
  readonly wasShown: boolean
  readonly host: string
  readonly processId: number
}

async function readProgress(settings: Store['settings']): Promise<Progress | 'finished' | null> {
  const stored = await settings.read(PROGRESS)
  if (stored === null || stored === 'finished') return stored
  const progress: unknown = JSON.parse(stored)
  invariant(isProgress(progress), 'the progress of the first start is as it was written')
  return progress
}

function isProgress(value: unknown): value is Progress {
  const { withDemo, keyId, wasShown, host, processId } = value as Partial<Record<keyof Progress, unknown>>
  return (
    [withDemo, wasShown].every((each) => typeof each === 'boolean') &&
    (keyId === null || typeof keyId === 'string') &&
    typeof host === 'string' &&
    typeof processId === 'number'
  )
}

function inNameOf(thisProcess: FirstStartOptions['thisProcess']): { host: string; processId: number } {
  return { host: thisProcess.host, processId: thisProcess.id }
}

/** Another process of this host is at it: it will print the secrets. */
function isInOtherHands(progress: Progress | null, { thisProcess }: FirstStartOptions): boolean {
  if (progress === null || progress.host !== thisProcess.host || progress.processId === thisProcess.id) return false
  return isProcessAlive(progress.processId)
}

/** null: this installation was set up in another way. */
async function planFor({ store, wantsDemo, hasDeclaration }: FirstStartOptions): Promise<{ withDemo: boolean } | null> {
  const accounts = await store.accounts.list(ACCOUNTS_LOOKED_AT)
  for (const { id, role, status } of accounts) {
    if (role === 'admin' && status === 'active' && (await store.accounts.passwordHash(id)) !== null) return null
  }
  return { withDemo: wantsDemo && !hasDeclaration && accounts.length === 0 }
}

/** Another node may be setting the same database up at this moment: its key is not ours to delete. */
async function forgetUnseenKey(unfinished: Progress | null, options: FirstStartOptions): Promise<void> {
  if (unfinished?.keyId == null || unfinished.wasShown) return
  const { host, id } = options.thisProcess
  const isOver = unfinished.host === host && (unfinished.processId === id || !isProcessAlive(unfinished.processId))
  if (isOver) await options.store.keys.setStatus(unfinished.keyId, 'deleted', options.nowMs)
}

/** The admin that the link signs in: one that exists and has no password yet, or a new one. */
async function adminAccount({ store, nowMs }: FirstStartOptions): Promise<Account> {
  const accounts = await store.accounts.list(ACCOUNTS_LOOKED_AT)
  const existing = accounts.find(({ role, status }) => role === 'admin' && status === 'active')
  if (existing !== undefined) return existing
  const admin: Account = {
    id: newId('acc', nowMs),
    email: FIRST_ADMIN,
    role: 'admin',
    status: 'active',
    createdAt: nowMs,
    isManaged: false,
  }
  await store.accounts.create(admin, null)
  return (await store.accounts.findByEmail(FIRST_ADMIN)) ?? admin
}

async function defaultGroup({ store, nowMs, hasDeclaration }: FirstStartOptions): Promise<string> {
  const groups = await store.groups.groups()
  const existing = groups.find(({ name }) => name === 'default') ?? (hasDeclaration ? groups[0] : undefined)
  if (existing !== undefined) return existing.id
  const id = newId('grp', nowMs)
  await store.groups.putGroup({
    id,
    name: 'default',
    multiplier: ONE_PPM,
    models: ['*'],
    isEnabled: true,
    isOpen: true,
    isManaged: false,
  })
  return id
}

/** Returns the new key's secret. */
async function demoObjects(
  { store, hashSecret, randomBytes, nowMs }: FirstStartOptions,
  ids: { keyId: string; groupId: string; accountId: string },
): Promise<string> {
  await createDemoCatalog(store.catalog, nowMs)
  await store.ledger.post({
    id: newId('led', nowMs),
    accountId: ids.accountId,
    createdAt: nowMs,
    kind: 'grant',
    amount: DEMO_BALANCE,
    reason: 'demo balance',
    actor: 'gateway',
    once: 'demo_balance',
  })
  const secret = newSecret(randomBytes)
  const key = newKey(
    { name: 'first key', groupId: ids.groupId },
    { id: ids.keyId, accountId: ids.accountId, createdAt: nowMs, isManaged: false },
  )
  await store.keys.create(key, { hash: hashSecret(secret), ...displayParts(secret) })
  return secret
}

interface Shown {
  readonly origin: string
  readonly token: string
  readonly secret: string | null
  readonly email: string
  readonly dataDirectory: string | null
}

function textFor({ origin, token, secret, email, dataDirectory }: Shown): string {
  const kept = dataDirectory === null ? '' : `\nData and secret are kept in:\n  ${dataDirectory}\n`
  const link = `
Tollgate is set up. This is shown only once.

Console (one-time link, signs in as ${email}):
  ${origin}/console/set-up#${token}
${kept}`
  if (secret === null) return `${link}\n`
  return `${link}
API key:
  ${secret}

Try it:
${curlLine(origin, secret)}

`
}

/** One line, so that it can be pasted into any POSIX shell and found by a program. */
function curlLine(origin: string, secret: string): string {
  const body = '{"model":"demo/echo","messages":[{"role":"user","content":"Hello, Tollgate"}]}'
  return `curl -sS ${origin}/v1/chat/completions -H 'Authorization: Bearer ${secret}' -H 'Content-Type: application/json' -d '${body}'`
}
