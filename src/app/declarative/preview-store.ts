import { isDeepStrictEqual } from 'node:util'
import type { Account } from '../../access/account.ts'
import type { ApiKey } from '../../access/api-key.ts'
import type { Change } from '../../access/changes.ts'
import type { Subscription } from '../../access/subscription.ts'
import type { AppliedStores, ApplyStore } from './apply-step.ts'

const NO_CHANGE: Change = { seq: 0, subject: 'catalog', subjectId: '' }
const GRANTS_READ = 200

/**
 * The database as it would be: reads what is there, and keeps what is written to it in memory. So a file can be applied to see
 * what would change, and nothing does.
 */
export function previewStore(store: ApplyStore): ApplyStore {
  const accounts = previewAccounts(store.accounts)
  const stores: AppliedStores = {
    accounts,
    audit: { write: async () => {} },
    ...previewNamed(store),
    keys: previewKeys(store.keys, (id) => accounts.findById(id)),
    ledger: previewLedger(store.ledger),
    settings: previewSettings(store.settings),
    subscriptions: previewSubscriptions(store.subscriptions),
  }
  return { ...stores, together: (work) => work(stores) }
}

function previewAccounts(store: ApplyStore['accounts']): ApplyStore['accounts'] {
  const own = new Map<string, { readonly account: Account; readonly passwordHash: string | null }>()
  return {
    async findByEmail(email) {
      const found = [...own.values()].find(({ account }) => isSameAddress(account.email, email))
      return found?.account ?? (await store.findByEmail(email))
    },
    findById: async (id) => own.get(id)?.account ?? (await store.findById(id)),
    async create(account, passwordHash) {
      own.set(account.id, { account, passwordHash })
      return true
    },
    async update(account, passwordHash) {
      own.set(account.id, { account, passwordHash })
      return { ...NO_CHANGE, accessTokensEnded: 0 }
    },
    passwordHash: async (id) => own.get(id)?.passwordHash ?? (await store.passwordHash(id)),
    standardLimits: () => store.standardLimits(),
    setStandardLimits: () => Promise.resolve(NO_CHANGE),
  }
}

function previewNamed(store: ApplyStore): Pick<ApplyStore, 'catalog' | 'groups' | 'plans'> {
  const upstreams = new NamedOverlay(() => store.catalog.upstreams())
  const models = new NamedOverlay(() => store.catalog.models())
  const groups = new NamedOverlay(() => store.groups.groups())
  const plans = new NamedOverlay(() => store.plans.plans())
  return {
    catalog: {
      models: () => models.all(),
      upstreams: () => upstreams.all(),
      putModel: (model) => models.put(model),
      putUpstream: (upstream) => upstreams.put(upstream),
      credentialStates: () => store.catalog.credentialStates(),
      async changeCredential({ upstreamId, name, isDisabled }) {
        const states = await store.catalog.credentialStates()
        const stored = states.find((each) => each.upstreamId === upstreamId && each.name === name)
        const before = stored ?? { upstreamId, name, isDisabled: false, hold: null }
        const after = { ...before, isDisabled: isDisabled ?? before.isDisabled }
        return { before, after, seq: after.isDisabled === before.isDisabled ? null : NO_CHANGE.seq }
      },
    },
    groups: {
      groups: () => groups.all(),
      putGroup: async (group) => ((await groups.put(group)) ? NO_CHANGE : null),
    },
    plans: { plans: () => plans.all(), putPlan: (plan) => plans.put(plan) },
  }
}

function previewKeys(
  store: ApplyStore['keys'],
  accountOf: (id: string) => Promise<Account | null>,
): ApplyStore['keys'] {
  const own = new Map<string, ApiKey>()
  const idByHash = new Map<string, string>()
  const find = async (id: string) => own.get(id) ?? (await store.findById(id))
  return {
    async findByHash(hash, broughtHash) {
      const made = own.get(idByHash.get(hash) ?? '')
      const account = made === undefined ? null : await accountOf(made.accountId)
      if (made !== undefined && account !== null) return { key: made, account, subscriptions: [] }
      const found = await store.findByHash(hash, broughtHash)
      return found === null ? null : { ...found, key: own.get(found.key.id) ?? found.key }
    },
    findById: find,
    countOf: (accountId) => store.countOf(accountId),
    async create(key, { hash, start, end }) {
      const shown = { secretStart: start, secretEnd: end, overlap: null }
      own.set(key.id, { ...key, ...shown, status: 'active', statusChangedAt: key.createdAt })
      idByHash.set(hash, key.id)
      return { kind: 'created' }
    },
    async update(key) {
      own.set(key.id, key)
      return NO_CHANGE
    },
    async setStatus(id, status, nowMs) {
      const key = await find(id)
      if (key !== null) own.set(id, { ...key, status, statusChangedAt: nowMs })
      return NO_CHANGE
    },
  }
}

function previewLedger(store: ApplyStore['ledger']): ApplyStore['ledger'] {
  return {
    async post(entry) {
      const { accountId, kind, actor, reason } = entry
      const { entries } = await store.page({ accountId, kind }, { after: null, limit: GRANTS_READ })
      if (entries.some((each) => each.actor === actor && each.reason === reason)) return { kind: 'already_posted' }
      return {
        kind: 'posted',
        entry: { ...entry, balanceAfter: entry.amount, requestId: null, reference: null },
        seq: null,
      }
    },
    page: (filter, page) => store.page(filter, page),
  }
}

function previewSettings(store: ApplyStore['settings']): ApplyStore['settings'] {
  const own = new Map<string, string>()
  const read = async (name: string) => own.get(name) ?? (await store.read(name))
  return {
    read,
    async writeOnce(name, value) {
      const there = await read(name)
      if (there === null) own.set(name, value)
      return there ?? value
    },
    async write(name, value) {
      own.set(name, value)
    },
  }
}

function previewSubscriptions(store: ApplyStore['subscriptions']): ApplyStore['subscriptions'] {
  const own = new Map<string, Subscription>()
  return {
    find: async (id) => own.get(id) ?? (await store.find(id)),
    live: (accountId, nowMs) => store.live(accountId, nowMs),
    async open(subscription) {
      own.set(subscription.id, subscription)
      return NO_CHANGE
    },
  }
}

/** Objects with names, of which some were put. */
class NamedOverlay<Named extends { readonly name: string }> {
  readonly #read: () => Promise<readonly Named[]>
  #objects: Map<string, Named> | null = null

  constructor(read: () => Promise<readonly Named[]>) {
    this.#read = read
  }

  async all(): Promise<readonly Named[]> {
    return [...(await this.#byName()).values()]
  }

  /** Returns whether anything was different. */
  async put(object: Named): Promise<boolean> {
    const objects = await this.#byName()
    const isDifferent = !isDeepStrictEqual(objects.get(object.name), object)
    objects.set(object.name, object)
    return isDifferent
  }

  async #byName(): Promise<Map<string, Named>> {
    return (this.#objects ??= new Map((await this.#read()).map((object) => [object.name, object])))
  }
}

function isSameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
