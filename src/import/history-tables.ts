import type { ProductWithDatabase } from './import-plan.ts'
import { type Row, type SourceReader, textIn } from './source.ts'

/** A table of history, and what of it is archived. */
export interface HistoryTable {
  readonly table: string
  readonly columns: readonly string[]
  /** What of a row is archived. Absent: all of these columns. */
  readonly kept?: (row: Row) => Row
}

/** What each user has of it that no account has here. */
const OF_USERS: Readonly<Record<'new-api' | 'sub2api', readonly string[]>> = {
  'new-api': [
    'username',
    'used_quota',
    'request_count',
    'github_id',
    'discord_id',
    'telegram_id',
    'wechat_id',
    'linux_do_id',
    'oidc_id',
  ],
  sub2api: ['email', 'username', 'balance', 'frozen_balance', 'total_recharged'],
}
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

/** Settings of sub2api whose values open nothing; of any other the name alone is archived. */
const OPEN_SETTINGS =
  /^(?:site_(?:name|subtitle)|registration_enabled|email_verify_enabled|invitation_code_enabled|smtp_(?:host|port|from|from_name|use_tls)|default_(?:concurrency|balance|api_key_prefix))$/

function settingKept(row: Row): Row {
  return OPEN_SETTINGS.test(textIn(row, 'key')) ? row : { ...row, value: null }
}

/** The tables of history that the source has, with those of their columns that hold no secret. */
export function historyTables(
  { columns }: Pick<SourceReader, 'columns'>,
  product: ProductWithDatabase,
): readonly HistoryTable[] {
  const plain = TABLES[product].flatMap((table) => {
    const names = [...(columns.get(table) ?? [])].filter((name) => !SECRET.test(name))
    return names.length === 0 ? [] : [{ table, columns: names }]
  })
  const users = OF_USERS[product === 'sub2api' ? 'sub2api' : 'new-api'].filter((name) =>
    columns.get('users')?.has(name),
  )
  const settings = ['key', 'value', 'updated_at'].filter((name) => columns.get('settings')?.has(name))
  return [
    ...plain,
    ...(users.length === 0 ? [] : [{ table: 'users', columns: users }]),
    ...(product === 'sub2api' && settings.length > 0
      ? [{ table: 'settings', columns: settings, kept: settingKept }]
      : []),
  ]
}
