import type { ProductWithDatabase } from './import-plan.ts'
import type { SourceReader } from './source.ts'

/** A table of history, and what of it is archived. */
export interface HistoryTable {
  readonly table: string
  readonly columns: readonly string[]
}

/** What each user has of it that no account has here. */
const OF_USERS = [
  'username',
  'used_quota',
  'request_count',
  'github_id',
  'discord_id',
  'telegram_id',
  'wechat_id',
  'linux_do_id',
  'oidc_id',
]
const OF_NEW_API = ['logs', 'quota_data', 'top_ups', 'tasks', 'midjourneys', 'redemptions', 'user_oauth_bindings']
const TABLES: Readonly<Record<ProductWithDatabase, readonly string[]>> = {
  'new-api': OF_NEW_API,
  'one-api': OF_NEW_API,
  sub2api: [
    'usage_logs',
    'payment_orders',
    'redeem_codes',
    'promo_codes',
    'promo_code_usages',
    'user_affiliates',
    'user_affiliate_ledger',
  ],
}
/** An archive is kept for years, and lies where backups lie: nothing in it opens anything. */
const SECRET = /(?:^|_)(?:keys?|code|password|password_hash|secret|token|credentials?|private_data)$/

/** The tables of history that the source has, with those of their columns that hold no secret. */
export function historyTables(
  { columns }: Pick<SourceReader, 'columns'>,
  product: ProductWithDatabase,
): readonly HistoryTable[] {
  const plain = TABLES[product].flatMap((table) => {
    const names = [...(columns.get(table) ?? [])].filter((name) => !SECRET.test(name))
    return names.length === 0 ? [] : [{ table, columns: names }]
  })
  const users = OF_USERS.filter((name) => columns.get('users')?.has(name) === true)
  return product === 'sub2api' ? plain : [...plain, { table: 'users', columns: users }]
}
