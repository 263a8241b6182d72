import { open, readFile, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { ZERO_NANO_USD } from '../../core/money.ts'
import type { ProductWithDatabase } from '../../import/import-plan.ts'
import { ImportRefusal, type Row, type SourceReader, textIn, words } from '../../import/source.ts'
import { makeDirectory } from '../../store/make-directory.ts'
import { syncDirectory } from '../../store/sync-directory.ts'
import { publishDraft, writeDraft } from '../retention/archive-file.ts'

/** Names every file that is whole, a line each: what it says counts, and other files are of a run that was cut short. */
const LIST = 'history.ndjson'
const FORMAT = 'tollgate-import-history/1'
const FILE_MODE = 0o600
const ROWS_OF_A_FILE = 50_000
const PORTION = 500

interface ListedFile {
  readonly file: string
  readonly table: string
  readonly rows: number
  /** Ids; null: the table has none, and is in one file. */
  readonly first: string | null
  readonly last: string | null
  readonly bytes: number
  readonly sha256: string
}

export interface WrittenHistory {
  /** How many files this run wrote. */
  readonly files: number
  readonly rows: number
}

export interface HistoryOrder {
  readonly source: SourceReader
  readonly product: ProductWithDatabase
  readonly directory: string
  /** Rows of one file at most. */
  readonly rowsOfAFile?: number
  onProgress(table: string, done: number, all: number): void
}

/**
 * Archives the history of another gateway's database in files of JSON lines, compressed. It may be cut short at any moment:
 * the next run goes on behind the last file that is whole, and so does one after the source has moved on. Throws
 * ImportRefusal for a directory with the history of another product.
 */
export async function writeHistory(order: HistoryOrder): Promise<WrittenHistory> {
  const { source, product, directory } = order
  await makeDirectory(directory, 0o700)
  const listed = await readList(directory, product)
  let written: WrittenHistory = { files: 0, rows: 0 }
  for (const each of historyTables(source, product)) {
    const own = listed.filter(({ table }) => table === each.table)
    const { files, rows } = await writeTable(each, own, order)
    written = { files: written.files + files, rows: written.rows + rows }
  }
  return written
}

async function writeTable(
  { table, columns, kept = (row) => row }: HistoryTable,
  listed: readonly ListedFile[],
  { source, directory, rowsOfAFile = ROWS_OF_A_FILE, onProgress }: HistoryOrder,
): Promise<WrittenHistory> {
  const last = listed.at(-1)
  // Without ids nothing says which of its rows are in it.
  if (last?.last === null) return { files: 0, rows: 0 }
  const { rows: all } = await source.extentOf(table)
  const before = listed.reduce((sum, { rows }) => sum + rows, 0)
  if (all > before) onProgress(table, before, all)
  const rows = source.rows(table, columns, last?.last ?? undefined)[Symbol.asyncIterator]()
  const most = source.columns.get(table)?.has('id') === true ? rowsOfAFile : Infinity
  let done = 0
  for (let part = listed.length + 1; ; part++) {
    const file = `${table}-${String(part).padStart(6, '0')}.ndjson.gz`
    const path = join(directory, file)
    for (const left of [path, `${path}.part`]) await rm(left, { force: true })
    const ends: { first: string | null; last: string | null } = { first: null, last: null }
    const draft = await writeDraft(`${path}.part`, portions(rows, { most, ends, kept }), (count) => {
      done += count
      onProgress(table, before + done, Math.max(all, before + done))
    })
    if (draft === null) return { files: part - listed.length - 1, rows: done }
    if (!(await publishDraft(draft.path, directory, file))) {
      throw new ImportRefusal(
        `Another run writes to ${JSON.stringify(directory)}: wait for its end, and run this one again.`,
      )
    }
    await addToList(directory, { file, table, rows: draft.records, ...ends, bytes: draft.bytes, sha256: draft.sha256 })
  }
}

/** Up to so many of the next rows; `ends` has their ids then. */
async function* portions(
  rows: AsyncIterator<Row>,
  { most, ends, kept }: { most: number; ends: { first: string | null; last: string | null }; kept: (row: Row) => Row },
) {
  let taken = 0
  let lines: string[] = []
  while (taken < most) {
    const next = await rows.next()
    if (next.done === true) break
    taken += 1
    ends.first ??= next.value['id'] ?? null
    ends.last = next.value['id'] ?? null
    lines.push(JSON.stringify(kept(next.value)))
    if (lines.length < PORTION) continue
    yield { lines, cost: ZERO_NANO_USD }
    lines = []
  }
  if (lines.length > 0) yield { lines, cost: ZERO_NANO_USD }
}

/** The entries of the list; a last line that was cut short is taken out. */
async function readList(directory: string, product: ProductWithDatabase): Promise<readonly ListedFile[]> {
  const path = join(directory, LIST)
  const text = await readFile(path, 'utf8').catch(() => '')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole === '') {
    await rm(path, { force: true })
    await addToList(directory, { format: FORMAT, product })
    return []
  }
  if (whole !== text) await truncate(path, Buffer.byteLength(whole))
  const [head, ...files] = whole
    .slice(0, -1)
    .split('\n')
    .map((line, at) => readLine(line, at === 0) ?? refuse(path, at + 1))
  if (JSON.stringify(head) !== JSON.stringify({ format: FORMAT, product })) {
    throw new ImportRefusal(
      `${JSON.stringify(directory)} has another history: name a directory of its own for each source.`,
    )
  }
  return files as ListedFile[]
}

/** null: it is not what a run has written there. */
function readLine(line: string, isHead: boolean): object | null {
  try {
    const read: unknown = JSON.parse(line)
    if (typeof read !== 'object' || read === null) return null
    return isHead || isListed(read) ? read : null
  } catch {
    return null
  }
}

function isListed(read: object): boolean {
  const { file, table, rows, last } = read as { readonly [name in keyof ListedFile]?: unknown }
  const isId = last === null || typeof last === 'string'
  return typeof file === 'string' && typeof table === 'string' && Number.isSafeInteger(rows) && isId
}

function refuse(path: string, line: number): never {
  throw new ImportRefusal(
    `Line ${line} of ${JSON.stringify(path)} is not what an import has written there: put the file back as it was, or name a new directory, into which all of the history is written again.`,
  )
}

async function addToList(directory: string, line: object): Promise<void> {
  {
    await using file = await open(join(directory, LIST), 'a', FILE_MODE)
    await file.writeFile(`${JSON.stringify(line)}\n`)
    await file.sync()
  }
  await syncDirectory(directory)
}

/** A table of history, and what of it is archived. */
interface HistoryTable {
  readonly table: string
  readonly columns: readonly string[]
  /** What of a row is archived. Absent: all of these columns. */
  readonly kept?: (row: Row) => Row
}

/** What each user has of it that no account has here. */
const OF_USERS: Readonly<Record<'new-api' | 'sub2api', readonly string[]>> = {
  'new-api': words('username used_quota request_count github_id discord_id telegram_id wechat_id linux_do_id oidc_id'),
  sub2api: ['email', 'username', 'balance', 'frozen_balance', 'total_recharged'],
}
const OF_NEW_API = ['logs', 'quota_data', 'top_ups', 'tasks', 'midjourneys', 'redemptions', 'user_oauth_bindings']
const TABLES: Readonly<Record<ProductWithDatabase, readonly string[]>> = {
  'new-api': OF_NEW_API,
  'one-api': OF_NEW_API,
  sub2api: words(
    'usage_logs payment_orders redeem_codes promo_codes promo_code_usages user_affiliates',
    'user_affiliate_ledger',
  ),
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
