import type { AccountQuery, AccountStore, ListedAccount } from '../../access/account.ts'
import { formatUsd } from '../../core/money.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { csvText } from '../api/csv.ts'
import { type CsvColumn, csvStream } from '../api/table-file.ts'

const PAGE = 200
/** More accounts than an installation is likely to have. */
const PAGES_LIMIT = 5000

const COLUMNS: readonly CsvColumn<ListedAccount>[] = [
  ['id', ({ account }) => csvText(account.id)],
  ['email', ({ account }) => csvText(account.email)],
  ['name', ({ name }) => csvText(name)],
  ['role', ({ account }) => account.role],
  ['status', ({ account }) => account.status],
  ['balance_usd', ({ balance }) => formatUsd(balance)],
  ['created_at', ({ account }) => timeOnWire(account.createdAt)],
]

/** All accounts that pass a filter, newest first, as a CSV file that is made while it is read. */
export function accountsCsv(
  store: Pick<AccountStore, 'page'>,
  filter: Pick<AccountQuery, 'search' | 'role' | 'status'>,
  how: { readonly startsWithMark: boolean },
): ReadableStream<Uint8Array> {
  return csvStream(COLUMNS, readPages(store, filter), how)
}

async function* readPages(
  store: Pick<AccountStore, 'page'>,
  filter: Pick<AccountQuery, 'search' | 'role' | 'status'>,
): AsyncGenerator<readonly ListedAccount[], undefined> {
  let after: string | null = null
  for (let page = 0; page < PAGES_LIMIT; page++) {
    const rows: readonly ListedAccount[] = await store.page({ ...filter, after, limit: PAGE })
    yield rows
    after = rows.at(-1)?.account.id ?? null
    if (rows.length < PAGE) return
  }
}
