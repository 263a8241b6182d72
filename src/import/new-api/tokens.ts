import { nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { ImportNotes, PlannedAccount, PlannedKey, Product } from '../import-plan.ts'
import { canonicalKey } from '../../access/imported-keys.ts'
import { integerIn, isTrueIn, jsonIn, listIn, secondsIn, textIn, words } from '../source.ts'
import type { Row, SourceReader } from '../source.ts'
import { AUTO, type GroupsOfUsers } from './groups.ts'
import type { QuotaInUsd } from './options.ts'
import { allowedIps, noteWeakKey, plannedRows } from '../planned-rows.ts'

const COLUMNS = words(
  'user_id key status name created_time expired_time remain_quota unlimited_quota used_quota',
  'model_limits_enabled model_limits allow_ips group auto_groups cross_group_retry models subnet deleted_at',
)
const DISABLED = 2n
const EXPIRED = 3n
const LONGEST_NAME = 100
const LONG_AGO = 1

export interface TokensAbout {
  readonly product: Product
  readonly accounts: readonly PlannedAccount[]
  /** Groups of the users, by their ids. */
  readonly userGroups: ReadonlyMap<string, string>
  readonly groups: GroupsOfUsers
  /** Groups in the order in which `auto` tries them. */
  readonly autoGroups: readonly string[]
  readonly quota: QuotaInUsd
  readonly notes: ImportNotes
  readonly nowMs: number
}

/** The keys of the accounts that are imported. */
export function planKeys(source: SourceReader, about: TokensAbout): Promise<readonly PlannedKey[]> {
  const accounts = new Map(about.accounts.map((account) => [account.id, account]))
  const taken = new Set<string>()
  return plannedRows(source, { table: 'tokens', columns: COLUMNS, notes: about.notes }, (row) => {
    const account = accounts.get(textIn(row, 'user_id'))
    if (row['deleted_at'] != null) return 'are deleted there'
    if (account === undefined) return 'belong to users that are deleted there'
    // PostgreSQL pads char(n).
    const written = textIn(row, 'key').trim()
    // The source reads what clients send up to the first dash, so no client is known by one that has it.
    const secret = written.includes('-') ? null : canonicalKey(written)
    if (secret === null || taken.has(secret)) return 'have no key that a client could send, or that of another'
    taken.add(secret)
    return keyOf(row, { ...about, account, secret })
  })
}

function keyOf(row: Row, about: TokensAbout & { account: PlannedAccount; secret: string }): PlannedKey {
  const { account, secret, notes, quota, product } = about
  const id = textIn(row, 'id')
  const name = textIn(row, 'name').trim().slice(0, LONGEST_NAME) || `${product} ${id}`
  noteWeakKey(secret, { email: account.email, keyName: name, table: 'tokens', id, notes })
  const { group, fallbackGroups, why } = groupsOf(row, about)
  if (why !== null) notes.note('tokens', id, `${why}: they are refused there, and disabled here`)
  const used = quota.nano(max(integerIn(row, 'used_quota') ?? 0n))
  const remaining = quota.nano(integerIn(row, 'remain_quota') ?? 0n)
  const limit = nanoUsd(used + remaining)
  const isUnlimited = isTrueIn(row, 'unlimited_quota')
  return {
    id,
    accountId: account.id,
    secret,
    name,
    group,
    fallbackGroups,
    isActive: integerIn(row, 'status') !== DISABLED && why === null && !mayCallNothing(row, about),
    createdAt: secondsIn(row, 'created_time'),
    expiresAt: expiryOf(row, about),
    quotaLimit: isUnlimited ? null : limit < 0n ? ZERO_NANO_USD : limit,
    quotaUsed: isUnlimited ? ZERO_NANO_USD : used,
    rateLimit: null,
    spent: [],
    ...allowedOf(row, about),
  }
}

function max(units: bigint): bigint {
  return units > 0n ? units : 0n
}

function expiryOf(row: Row, { nowMs }: TokensAbout): number | null {
  const at = secondsIn(row, 'expired_time')
  if (integerIn(row, 'status') !== EXPIRED) return at
  // The same at each run.
  return at === null || at > nowMs ? (secondsIn(row, 'created_time') ?? LONG_AGO) : at
}

interface GroupsOfKey extends Pick<PlannedKey, 'group' | 'fallbackGroups'> {
  /** Why the source takes it for nothing; null: it does not. */
  readonly why: string | null
}

const NEXT_AFTER_FAILURE =
  'are in auto and stay, after a failure too, in the first group that has the model: here the next of their groups is asked then, at its multiplier'

function groupsOf(
  row: Row,
  { product, account, userGroups, groups, autoGroups, notes }: TokensAbout & { account: PlannedAccount },
): GroupsOfKey {
  const userGroup = userGroups.get(account.id) ?? 'default'
  const named = product === 'one-api' ? '' : textIn(row, 'group').trim()
  const here = (name: string) => groups.groupFor(userGroup, name)
  const refused = (why: string) => ({ group: here(userGroup), fallbackGroups: [], why })
  if (named !== AUTO) {
    if (named !== '' && !groups.has(named)) return refused('name a group that is not there')
    return { group: here(named === '' ? userGroup : named), fallbackGroups: [], why: null }
  }
  if (!groups.mayUseAuto(userGroup)) return refused('are in auto, which their user may not use')
  const own = jsonIn(row, 'auto_groups')
  const listed = Array.isArray(own) && own.length > 0 ? own.map(String) : autoGroups
  const [first, ...rest] = [...new Set(listed.filter((name) => groups.mayUse(userGroup, name)).map(here))]
  if (first === undefined) return refused('are in auto, of whose groups their user may use none')
  if (rest.length > 0 && !isTrueIn(row, 'cross_group_retry')) {
    notes.note('tokens', textIn(row, 'id'), NEXT_AFTER_FAILURE)
  }
  return { group: first, fallbackGroups: rest, why: null }
}

function allowedOf(row: Row, { product, notes }: TokensAbout): Pick<PlannedKey, 'allowedModels' | 'allowedIps'> {
  const isOneApi = product === 'one-api'
  const hasModels = isOneApi || isTrueIn(row, 'model_limits_enabled')
  const addresses = textIn(row, isOneApi ? 'subnet' : 'allow_ips')
    .split(/[\n,\s]+/)
    .filter((part) => part !== '')
  return {
    allowedModels: hasModels ? [...new Set(listIn(row, isOneApi ? 'models' : 'model_limits'))] : [],
    allowedIps: allowedIps(addresses, { table: 'tokens', id: textIn(row, 'id'), notes }),
  }
}

/** A list that is on and empty closes a key there, and would open it here. */
function mayCallNothing(row: Row, { product, notes }: TokensAbout): boolean {
  const isClosed =
    product !== 'one-api' && isTrueIn(row, 'model_limits_enabled') && listIn(row, 'model_limits').length === 0
  if (isClosed)
    notes.note('tokens', textIn(row, 'id'), 'have a list of models that is empty: they are imported disabled')
  return isClosed
}
