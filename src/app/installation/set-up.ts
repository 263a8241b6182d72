import type { Account } from '../../access/account.ts'
import type { NoteChange } from '../../access/audit.ts'
import type { Group, GroupStore } from '../../access/group.ts'
import { displayParts, newSecret } from '../../access/key-secret.ts'
import { isProcessAlive } from '../../cluster/host-process.ts'
import { accountCreated, accountLinkMade } from '../../control/audit/account-notes.ts'
import { groupNote, modelNote, upstreamNote } from '../../control/audit/catalogue-notes.ts'
import { ledgerPosted } from '../../control/audit/funding-notes.ts'
import { keyCreated, keyDeleted } from '../../control/audit/key-notes.ts'
import { newId } from '../../core/ids.ts'
import { ONE_PPM, parseUsd } from '../../core/money.ts'
import { newKey } from '../../entitlement/key-settings.ts'
import type { CatalogStore, Model, Upstream } from '../../routing/catalog.ts'
import { auditedChange } from '../audited-change.ts'
import type { Store } from '../../store/store.ts'
import { ACCOUNTS_LOOKED_AT, PROGRESS, type Progress } from './set-up-progress.ts'

/** A setup that is prepared, and whose secrets were not shown yet. */
export interface FirstStart {
  /** Prints what is shown this once, and marks the setup as finished. To be called when the gateway listens. */
  announce(origin: string, print: (text: string) => void): Promise<void>
}

export interface FirstStartOptions {
  readonly store: Pick<Store, 'accounts' | 'catalog' | 'groups' | 'keys' | 'settings' | 'together'>
  readonly hashSecret: (secret: string) => string
  readonly hashLink: (token: string) => string
  /** TOLLGATE_DEMO. */
  readonly wantsDemo: boolean
  /** The declarative file defines something: then that is what the admin wants, and no demo objects beside it. */
  readonly hasDeclaration: boolean
  readonly randomBytes: (count: number) => Buffer
  readonly nowMs: number
  readonly thisProcess: { readonly host: string; readonly id: number }
  /** The directory of the embedded database, as it is shown; null: the database is elsewhere. */
  readonly dataDirectory: string | null
}

/** Sets the installation up as `prepareFirstStart` found that it has to be. null: another process does it. */
export async function setUp(
  options: FirstStartOptions,
  { unfinished, plan }: { unfinished: Progress | null; plan: Pick<Progress, 'withDemo'> },
): Promise<FirstStart | null> {
  const { store, nowMs } = options
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
  await auditedChange(options, async ({ settings }, audit) => {
    await settings.write(SET_UP_ACCOUNT, admin.id)
    await settings.write(SET_UP_LINK, options.hashLink(token))
    await audit(accountLinkMade(admin.id, 'account.set_up_link'))
  })
  return {
    async announce(origin, print) {
      await store.settings.write(PROGRESS, JSON.stringify({ ...progress, wasShown: true }))
      print(textFor({ origin, token, secret, email: admin.email, dataDirectory: options.dataDirectory }))
      await store.settings.write(PROGRESS, 'finished')
    },
  }
}

/** Sign-in reads these: the hash of the link's token, and the account that it signs in. */
const SET_UP_LINK = 'set_up_link'
const SET_UP_ACCOUNT = 'set_up_account'
const FIRST_ADMIN = 'admin@localhost'
const DEMO_BALANCE = parseUsd('10')

function inNameOf(thisProcess: FirstStartOptions['thisProcess']): { host: string; processId: number } {
  return { host: thisProcess.host, processId: thisProcess.id }
}

/** Another node may be setting the same database up at this moment: its key is not ours to delete. */
async function forgetUnseenKey(unfinished: Progress | null, options: FirstStartOptions): Promise<void> {
  if (unfinished?.keyId == null || unfinished.wasShown) return
  const { host, id } = options.thisProcess
  const isOver = unfinished.host === host && (unfinished.processId === id || !isProcessAlive(unfinished.processId))
  const key = isOver ? await options.store.keys.findById(unfinished.keyId) : null
  if (key === null || key.status === 'deleted') return
  await auditedChange(options, async ({ keys, groups }, audit) => {
    await keys.setStatus(key.id, 'deleted', options.nowMs)
    await audit(keyDeleted(key, await groups.groups()))
  })
}

/** The admin that the link signs in: one that exists and has no password yet, or a new one. */
async function adminAccount(options: FirstStartOptions): Promise<Account> {
  const { store, nowMs } = options
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
  await auditedChange(options, async (stores, audit) => {
    if (await stores.accounts.create(admin, null)) await audit(accountCreated(admin))
  })
  return (await store.accounts.findByEmail(FIRST_ADMIN)) ?? admin
}

async function defaultGroup(options: FirstStartOptions): Promise<string> {
  const { store, nowMs, hasDeclaration } = options
  const groups = await store.groups.groups()
  const existing = groups.find(({ name }) => name === 'default') ?? (hasDeclaration ? groups[0] : undefined)
  if (existing !== undefined) return existing.id
  const group: Group = {
    id: newId('grp', nowMs),
    name: 'default',
    multiplier: ONE_PPM,
    models: ['*'],
    isEnabled: true,
    isOpen: true,
    isManaged: false,
  }
  await auditedChange(options, async (stores, audit) => {
    if ((await stores.groups.putGroup(group)) !== null) await audit(groupNote(null, group))
  })
  return group.id
}

/** Returns the new key's secret. */
async function demoObjects(
  options: FirstStartOptions,
  ids: { keyId: string; groupId: string; accountId: string },
): Promise<string> {
  const { hashSecret, randomBytes, nowMs } = options
  const grant = {
    id: newId('led', nowMs),
    accountId: ids.accountId,
    createdAt: nowMs,
    kind: 'grant',
    amount: DEMO_BALANCE,
    reason: 'demo balance',
    actor: 'gateway',
    once: 'demo_balance',
  } as const
  const secret = newSecret(randomBytes)
  const key = newKey(
    { name: 'first key', groupId: ids.groupId },
    { id: ids.keyId, accountId: ids.accountId, createdAt: nowMs, isManaged: false },
  )
  const stored = { hash: hashSecret(secret), ...displayParts(secret) }
  await auditedChange(options, async (stores, audit) => {
    await createDemoCatalog(stores, audit, nowMs)
    const granted = await stores.ledger.post(grant)
    if (granted.kind === 'posted') await audit(ledgerPosted(granted.entry))
    const creation = await stores.keys.create(key, stored)
    if (creation.kind !== 'created') return
    await audit(keyCreated(key, { groups: await stores.groups.groups(), isCustom: false }))
  })
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

/** Within a change: adds the built-in demo upstream and its three models, as far as nothing has these names yet. */
async function createDemoCatalog(
  { catalog, groups }: { readonly catalog: CatalogStore; readonly groups: Pick<GroupStore, 'groups'> },
  audit: NoteChange,
  nowMs: number,
): Promise<void> {
  const upstreams = await catalog.upstreams()
  const upstreamId = upstreams.find(({ name }) => name === UPSTREAM)?.id ?? newId('ups', nowMs)
  if (!upstreams.some(({ name }) => name === UPSTREAM)) {
    const upstream: Upstream = {
      id: upstreamId,
      name: UPSTREAM,
      protocol: 'demo',
      baseUrl: '',
      credentials: [],
      connectTimeoutMs: null,
      firstByteTimeoutMs: null,
      timeoutMs: null,
      maxConcurrency: null,
      headers: {},
      isManaged: false,
    }
    if (await catalog.putUpstream(upstream)) await audit(upstreamNote(null, upstream))
  }
  const names = { upstreams: await catalog.upstreams(), groups: await groups.groups() }
  const existing = new Set((await catalog.models()).map(({ name }) => name))
  for (const { name, input, output } of MODELS) {
    if (existing.has(name)) continue
    const model: Model = {
      id: newId('mdl', nowMs),
      name,
      prices: {
        input: parseUsd(input),
        output: parseUsd(output),
        cacheRead: null,
        cacheWrite: null,
        cacheWrite1h: null,
        other: null,
        units: null,
      },
      contextTokens: 128_000,
      maxOutputTokens: 16_384,
      targets: [{ upstreamId, model: name, priority: 0, weight: 1 }],
      createdAt: nowMs,
      isManaged: false,
    }
    if (await catalog.putModel(model)) await audit(modelNote(null, model, names))
  }
}

const UPSTREAM = 'demo'

/** Small prices, in USD per million tokens, and different ones, so that a first look at the costs shows something. */
const MODELS = [
  { name: 'demo/echo', input: '0.50', output: '1.50' },
  { name: 'demo/reasoner', input: '1', output: '4' },
  { name: 'demo/tools', input: '0.75', output: '3' },
] as const
