import { type CleanedWhere, createAdapterFactory, type CustomAdapter } from 'better-auth/adapters'
import type { AccountProfile } from '../../../access/account.ts'
import type { RecordCondition, SignInRecord, SignInRecordKind, SignInValue } from '../../../access/sign-in-records.ts'
import { invariant } from '../../../core/invariant.ts'
import type { SignInDependencies, SignInStores } from '../parts.ts'
import type { OwnEvent } from '../changing.ts'
import { recorded } from './inner-call.ts'

type AdapterParts = Pick<SignInDependencies, keyof SignInStores | 'clock' | 'hashes' | 'change' | 'onError'>
type AuthRecord = Record<string, unknown>

/**
 * The database as better-auth sees it. Its users are our accounts; its other models are the records of sign-in, under our
 * names and with times as numbers. A session's token goes in as a hash and comes back only to who named it.
 */
export function authAdapter(parts: AdapterParts) {
  return createAdapterFactory({
    config: { adapterId: 'tollgate', adapterName: 'Tollgate', supportsNumericIds: false, transaction: false },
    adapter: () => customAdapter(parts),
  })
}

function customAdapter(parts: AdapterParts): CustomAdapter {
  const { records } = parts
  // better-auth's types promise the caller's own shape for what only the database knows.
  const adapter = {
    async create({ model, data }: { model: string; data: AuthRecord }) {
      invariant(model !== 'user', 'sign-in opens no account by itself')
      const record = { ...DEFAULTS[kindOf(model)], ...toRecord(parts, model, data) }
      const insert = (stores: SignInStores) => stores.records.insert(kindOf(model), record)
      await recorded(parts, insert, () => eventOfNew(model, data))
      return data
    },
    async findOne({ model, where }: { model: string; where: CleanedWhere[] }) {
      const [found] = await find(parts, { model, where, limit: 1 })
      return found ?? null
    },
    async findMany(query: FindMany) {
      return find(parts, query)
    },
    async count({ model, where = [] }: { model: string; where?: CleanedWhere[] }) {
      return records.count(kindOf(model), conditions(parts, model, where))
    },
    async update({ model, where, update }: { model: string; where: CleanedWhere[]; update: AuthRecord }) {
      if (model === 'user') return updateUser(parts, where, update)
      const make = (stores: SignInStores) => change({ ...parts, ...stores }, { model, where, set: update })
      const accountId = model === 'twoFactor' ? await accountOfFactor(parts, where) : null
      const changed = await recorded(parts, make, ({ path }) =>
        accountId !== null && path === NEW_CODES ? { kind: 'backup_codes_made', accountId } : null,
      )
      return changed[0] ?? null
    },
    async updateMany({ model, where, update }: { model: string; where: CleanedWhere[]; update: AuthRecord }) {
      return (await change(parts, { model, where, set: update })).length
    },
    async incrementOne(step: {
      model: string
      where: CleanedWhere[]
      increment: Record<string, number>
      set?: AuthRecord | undefined
    }) {
      const changed = await change(parts, { ...step, set: step.set ?? {} })
      return changed[0] ?? null
    },
    async delete({ model, where }: { model: string; where: CleanedWhere[] }) {
      await records.delete(kindOf(model), conditions(parts, model, where))
    },
    async deleteMany({ model, where }: { model: string; where: CleanedWhere[] }) {
      return (await records.delete(kindOf(model), conditions(parts, model, where))).length
    },
    async consumeOne({ model, where }: { model: string; where: CleanedWhere[] }) {
      const [taken] = await records.delete(kindOf(model), conditions(parts, model, where), { onlyOne: true })
      return taken === undefined ? null : fromRecord(model, taken, where)
    },
  }
  return reporting(adapter, parts) as unknown as CustomAdapter
}

/** better-auth writes what fails here into the same log as what strangers cause: it is reported before it gets there. */
function reporting(adapter: object, { onError }: AdapterParts): object {
  const methods = Object.entries(adapter) as [string, (query: unknown) => Promise<unknown>][]
  const guarded = methods.map(([name, method]) => {
    const call = async (query: unknown): Promise<unknown> => {
      try {
        return await method(query)
      } catch (error) {
        onError('the records of sign-in could not be read or written', error)
        throw error
      }
    }
    return [name, call] as const
  })
  return Object.fromEntries(guarded)
}

/** The route of better-auth on which backup codes are written because there are new ones, not because one was used. */
const NEW_CODES = '/two-factor/generate-backup-codes'

function eventOfNew(model: string, { userId }: AuthRecord): OwnEvent | null {
  return model === 'passkey' ? { kind: 'passkey_added', accountId: String(userId) } : null
}

async function accountOfFactor(parts: AdapterParts, where: readonly CleanedWhere[]): Promise<string | null> {
  const [factor] = await parts.records.select('secondFactor', {
    where: conditions(parts, 'twoFactor', where),
    limit: 1,
  })
  return factor === undefined ? null : String(factor['accountId'])
}

interface FindMany {
  model: string
  where?: CleanedWhere[] | undefined
  limit: number
  sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined
  offset?: number | undefined
}

const KINDS: Readonly<Record<string, SignInRecordKind>> = {
  session: 'session',
  account: 'identity',
  verification: 'verification',
  twoFactor: 'secondFactor',
  passkey: 'passkey',
}

/** better-auth's field → ours. What is not named here (a provider's tokens, for one) is not kept. */
const FIELDS: Record<SignInRecordKind, Readonly<Record<string, string>>> = {
  session: {
    ...alike('id', 'createdAt', 'updatedAt', 'expiresAt', 'signedInAt', 'beganBy'),
    token: 'tokenHash',
    userId: 'accountId',
    ipAddress: 'address',
    userAgent: 'client',
  },
  identity: {
    ...alike('id', 'createdAt', 'updatedAt'),
    providerId: 'provider',
    accountId: 'subject',
    userId: 'accountId',
  },
  verification: { ...alike('id', 'identifier', 'expiresAt', 'createdAt', 'updatedAt'), value: 'content' },
  secondFactor: {
    ...alike('id', 'secret', 'backupCodes'),
    userId: 'accountId',
    verified: 'isConfirmed',
    failedVerificationCount: 'failures',
    lockedUntil: 'lockedUntilAt',
  },
  passkey: {
    ...alike('id', 'name', 'publicKey', 'counter', 'deviceType', 'transports', 'aaguid', 'createdAt'),
    userId: 'accountId',
    credentialID: 'credentialId',
    backedUp: 'isSynced',
  },
}

/** Fields that have one name there and here. */
function alike(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, name]))
}

const DEFAULTS: Record<SignInRecordKind, SignInRecord> = {
  session: { address: '', client: '' },
  identity: {},
  verification: {},
  secondFactor: { isConfirmed: false, failures: 0, lastCounter: 0 },
  passkey: {},
}

const COMPARISONS: Readonly<Record<string, RecordCondition['is']>> = {
  eq: '=',
  ne: '!=',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  in: 'in',
}

function kindOf(model: string): SignInRecordKind {
  const kind = KINDS[model]
  invariant(kind !== undefined, `sign-in keeps no ${model}`)
  return kind
}

async function find(parts: AdapterParts, query: FindMany): Promise<AuthRecord[]> {
  const { model, where = [], limit, sortBy, offset } = query
  if (model === 'user') {
    const user = await findUser(parts, where)
    return user === null ? [] : [user]
  }
  const kind = kindOf(model)
  const found = await parts.records.select(kind, {
    where: conditions(parts, model, where),
    limit,
    ...(offset === undefined ? {} : { offset }),
    ...(sortBy === undefined ? {} : { sortBy: { field: fieldOf(kind, sortBy.field), direction: sortBy.direction } }),
  })
  return found.map((record) => fromRecord(model, record, where))
}

async function change(
  parts: AdapterParts,
  step: { model: string; where: CleanedWhere[]; set: AuthRecord; increment?: Record<string, number> },
): Promise<AuthRecord[]> {
  const kind = kindOf(step.model)
  const add = Object.entries(step.increment ?? {}).map(([field, by]) => [fieldOf(kind, field), by] as const)
  const changed = await parts.records.update(kind, {
    where: conditions(parts, step.model, step.where),
    set: toRecord(parts, step.model, step.set),
    add: Object.fromEntries(add),
  })
  return changed.map((record) => fromRecord(step.model, record, step.where))
}

function conditions(parts: AdapterParts, model: string, where: readonly CleanedWhere[]): RecordCondition[] {
  const kind = kindOf(model)
  return where.map(({ field, operator, value, connector }, i) => {
    const is = COMPARISONS[operator ?? 'eq']
    invariant(is !== undefined && (connector === 'AND' || i === 0), `sign-in asks for ${connector} ${operator}`)
    const one = (single: unknown) => stored(parts, { model, field, value: single })
    return { field: fieldOf(kind, field), is, value: Array.isArray(value) ? value.map(one) : one(value) }
  })
}

function fieldOf(kind: SignInRecordKind, field: string): string {
  const ours = FIELDS[kind][field]
  invariant(ours !== undefined, `sign-in keeps no ${field} of a ${kind}`)
  return ours
}

function toRecord(parts: AdapterParts, model: string, data: AuthRecord): SignInRecord {
  const kind = kindOf(model)
  const fields = Object.entries(data).flatMap(([field, value]) => {
    const ours = FIELDS[kind][field]
    return ours === undefined || value === undefined ? [] : [[ours, stored(parts, { model, field, value })] as const]
  })
  return Object.fromEntries(fields)
}

function stored(parts: AdapterParts, { model, field, value }: { model: string; field: string; value: unknown }) {
  if (model === 'session' && field === 'token') return parts.hashes.session(String(value))
  if (value instanceof Date) return value.getTime()
  return (value ?? null) as SignInValue
}

/** The token is in the caller's hand already where the record was asked for by it; else its hash stands for it. */
function fromRecord(model: string, record: SignInRecord, where: readonly CleanedWhere[]): AuthRecord {
  const named = where.find(({ field, operator }) => field === 'token' && operator === 'eq')?.value
  const fields = Object.entries(FIELDS[kindOf(model)]).map(([theirs, ours]) => {
    const value = record[ours] ?? null
    if (theirs === 'token' && typeof named === 'string') return [theirs, named] as const
    const isTime = ours.endsWith('At') && typeof value === 'number'
    return [theirs, isTime ? new Date(value) : value] as const
  })
  return Object.fromEntries(fields)
}

async function findUser({ accounts }: AdapterParts, where: readonly CleanedWhere[]): Promise<AuthRecord | null> {
  const [condition] = where
  const value = condition?.operator === 'in' && Array.isArray(condition.value) ? condition.value[0] : condition?.value
  invariant(where.length === 1 && typeof value === 'string', 'sign-in looks for one account by one field')
  const id = condition?.field === 'email' ? (await accounts.findByEmail(value))?.id : value
  return id === undefined ? null : userOf({ accounts }, id)
}

async function userOf({ accounts }: Pick<AdapterParts, 'accounts'>, id: string): Promise<AuthRecord | null> {
  const own = await accounts.findOwn(id)
  if (own === null) return null
  const { account, profile } = own
  return {
    id,
    email: account.email,
    name: profile.name,
    role: account.role,
    emailVerified: profile.isEmailVerified,
    twoFactorEnabled: profile.hasSecondFactor,
    image: null,
    createdAt: new Date(account.createdAt),
    updatedAt: new Date(account.createdAt),
  }
}

async function updateUser(
  parts: AdapterParts,
  where: readonly CleanedWhere[],
  update: AuthRecord,
): Promise<AuthRecord | null> {
  const user = await findUser(parts, where)
  if (user === null) return null
  const id = String(user['id'])
  const profile: Partial<AccountProfile> = {
    ...(typeof update['emailVerified'] === 'boolean' ? { isEmailVerified: update['emailVerified'] } : {}),
    ...(typeof update['twoFactorEnabled'] === 'boolean' ? { hasSecondFactor: update['twoFactorEnabled'] } : {}),
  }
  const { hasSecondFactor: isOn } = profile
  await recorded(
    parts,
    ({ accounts }) => accounts.updateProfile(id, profile),
    () => (isOn === undefined ? null : { kind: isOn ? 'second_factor_on' : 'second_factor_off', accountId: id }),
  )
  return userOf(parts, id)
}
