import { ZERO_NANO_USD } from '../../core/money.ts'
import { type SpendWindow, windowMs } from '../../core/quota-window.ts'
import type { ImportNotes, PlannedAccount, PlannedKey } from '../import-plan.ts'
import { jsonIn, momentIn, type Row, type SourceReader, textIn, words } from '../source.ts'
import type { Sub2apiGroups } from './groups.ts'
import { limitIn, usdIn } from './money.ts'
import { allowedIps, noteWeakKey, plannedRows } from '../planned-rows.ts'

const WINDOWS = ['5h', '1d', '7d'] as const satisfies readonly SpendWindow[]
const COLUMNS = words(
  'user_id key name group_id status quota quota_used expires_at ip_whitelist ip_blacklist deleted_at',
  'created_at',
  ...WINDOWS.flatMap((window) => [`rate_limit_${window}`, `usage_${window}`, `window_${window}_start`]),
)
const STOPPED = ['inactive', 'disabled']
const LONGEST_NAME = 100

interface KeysAbout {
  readonly accounts: readonly PlannedAccount[]
  readonly groups: Sub2apiGroups
  readonly notes: ImportNotes
}

export function planKeys(source: SourceReader, about: KeysAbout): Promise<readonly PlannedKey[]> {
  const owners = new Map(about.accounts.map((account) => [account.id, account]))
  return plannedRows(source, { table: 'api_keys', columns: COLUMNS, notes: about.notes }, (row) => {
    const owner = owners.get(textIn(row, 'user_id'))
    if (row['deleted_at'] != null || owner === undefined) return 'are deleted there, or their users are'
    return keyOf(row, { ...about, owner })
  })
}

/** A sentence: why it is not imported. */
function keyOf(row: Row, { owner, groups, notes }: KeysAbout & { owner: PlannedAccount }): PlannedKey | string {
  const id = textIn(row, 'id')
  const secret = textIn(row, 'key')
  const own = groups.nameFor(owner.id, textIn(row, 'group_id'))
  const group = own ?? groups.groups[0]?.name
  if (group === undefined || !/^[\x21-\x7e]{1,128}$/.test(secret))
    return 'have no key that a client could send, or there is no group: not imported'
  if (own === undefined) notes.note('api_keys', id, 'are in no group: they are imported disabled')
  const name = textIn(row, 'name').trim().slice(0, LONGEST_NAME) || `sub2api ${id}`
  noteWeakKey(secret, { email: owner.email, keyName: name, table: 'api_keys', id, notes })
  if (listOf(row, 'ip_blacklist').length > 0) notes.note('api_keys', id, 'have an ip_blacklist, which is not carried')
  const quotaLimit = limitIn(row, 'quota')
  const limited = WINDOWS.flatMap((window) => {
    const usd = limitIn(row, `rate_limit_${window}`)
    return usd === null ? [] : [{ window, usd }]
  })
  return {
    id,
    accountId: owner.id,
    secret,
    name,
    group,
    fallbackGroups: [],
    isActive: own !== undefined && !STOPPED.includes(textIn(row, 'status')),
    createdAt: momentIn(row, 'created_at'),
    expiresAt: momentIn(row, 'expires_at'),
    quotaLimit,
    quotaUsed: quotaLimit === null ? ZERO_NANO_USD : usdIn(row, 'quota_used'),
    rateLimit:
      limited.length === 0
        ? null
        : { concurrency: null, requestsPerMinute: null, tokensPerMinute: null, spend: limited },
    spent: limited.map(({ window }) => spentIn(row, window)),
    allowedModels: [],
    allowedIps: allowedIps(listOf(row, 'ip_whitelist'), { table: 'api_keys', id, notes }),
  }
}

/** A window lasts its length from its start. */
function spentIn(row: Row, window: SpendWindow) {
  const startsAt = momentIn(row, `window_${window}_start`)
  return { window, used: usdIn(row, `usage_${window}`), endsAt: startsAt === null ? null : startsAt + windowMs(window) }
}

function listOf(row: Row, column: string): readonly string[] {
  const value = jsonIn(row, column)
  return Array.isArray(value) ? value.map(String) : []
}
