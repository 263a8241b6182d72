import type { AccountQuery, AccountStore } from '../../access/account.ts'
import { formatUsd } from '../../core/money.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { csvLine, csvText } from '../api/csv.ts'

const HEADER = ['id', 'email', 'name', 'role', 'status', 'balance_usd', 'created_at']
const PAGE = 200
/** More accounts than an installation is likely to have. */
const PAGES_LIMIT = 5000

/** All accounts that pass a filter, newest first, as a CSV file (RFC 4180) that is made while it is read. */
export function accountsCsv(
  store: Pick<AccountStore, 'page'>,
  filter: Pick<AccountQuery, 'search' | 'role' | 'status'>,
  { startsWithMark }: { readonly startsWithMark: boolean },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let after: string | null = null
  let pages = 0
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode((startsWithMark ? '\uFEFF' : '') + csvLine(HEADER)))
      },
      async pull(controller) {
        const rows = await store.page({ ...filter, after, limit: PAGE })
        after = rows.at(-1)?.account.id ?? null
        pages += 1
        const lines = rows.map(({ account, name, balance }) =>
          csvLine([
            csvText(account.id),
            csvText(account.email),
            csvText(name),
            account.role,
            account.status,
            formatUsd(balance),
            timeOnWire(account.createdAt),
          ]),
        )
        if (lines.length > 0) controller.enqueue(encoder.encode(lines.join('')))
        if (rows.length < PAGE || pages === PAGES_LIMIT) controller.close()
      },
    },
    { highWaterMark: 1 },
  )
}
