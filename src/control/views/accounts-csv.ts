import type { AccountQuery, AccountStore, ListedAccount } from '../../access/account.ts'
import { formatUsd } from '../../core/money.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { type CsvColumn, csvStream, csvText, pagesFrom } from '../api/table-file.ts'

const PAGE = 200

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
  const pages = pagesFrom<ListedAccount, string>(async (after) => {
    const rows = await store.page({ ...filter, after, limit: PAGE })
    return { rows, next: rows.length < PAGE ? null : (rows.at(-1)?.account.id ?? null) }
  })
  return csvStream(COLUMNS, pages, how)
}
