import { invariant } from '../../core/invariant.ts'
import { CellReader, CellWriter } from './packed-cells.ts'
import { CHARGE_WIDTH, PAYMENT_WIDTH, type SettlementRows, type SettlementValue } from '../engine/settlement-rows.ts'
import { USAGE_WIDTH } from './usage-columns.ts'

/**
 * A batch of settlements as bytes: how it goes to the thread that holds the database file, and how it stands in the journal.
 *
 * A head of 32-bit numbers, little endian: the version, how many settlements, how many values in each of the four lists. Then
 * the line of low balances and the lists, as cells (`packed-cells.ts`).
 *
 * A process may find what an older version left in the journal. So whatever changes this layout or `USAGE_COLUMNS` gets a new
 * version, and `unpackSettlements` goes on reading the former; a test holds the two together. A new column of usage records
 * comes last, and is null in what an older version left.
 */
export const PACKED_VERSION = 7

/** How many columns the records of each version have. */
const WIDTHS: ReadonlyMap<number, number> = new Map([
  [1, 39],
  [2, 40],
  [3, 41],
  [4, 42],
  [5, 43],
  [6, 44],
  [PACKED_VERSION, USAGE_WIDTH],
])

const LISTS = ['records', 'charges', 'payments', 'storedResponses'] as const
const HEAD_NUMBERS = 2 + LISTS.length

const writer = new CellWriter()

/** Throws TypeError or RangeError for what no column holds. */
export function packSettlements(batch: SettlementRows): Uint8Array<ArrayBuffer> {
  const lengths = LISTS.map((list) => batch[list].length)
  writer.begin([PACKED_VERSION, batch.count, ...lengths], 1 + lengths.reduce((sum, length) => sum + length, 0))
  writer.put(batch.lowBalance)
  for (const list of LISTS) {
    for (const value of batch[list]) writer.put(value)
  }
  return writer.end()
}

/**
 * Several batches as one, in their order. All have the same line of low balances (`headOf`). Throws for bytes that are
 * not of this layout.
 */
export function unpackSettlements(packed: readonly Uint8Array[]): SettlementRows {
  const rows: UnpackedRows = {
    count: 0,
    records: [],
    charges: [],
    payments: [],
    storedResponses: [],
    lowBalance: packed[0] === undefined ? null : headOf(packed[0]).lowBalance,
  }
  for (const bytes of packed) unpackInto(rows, bytes)
  return rows
}

/** What a batch says without being read: how many settlements it has, and below which balance an alert is due. */
export function headOf(packed: Uint8Array): { readonly count: number; readonly lowBalance: bigint | null } {
  const reader = new CellReader(packed, HEAD_NUMBERS)
  return { count: reader.head[1] ?? 0, lowBalance: reader.take() as bigint | null }
}

interface UnpackedRows extends SettlementRows {
  count: number
  readonly records: SettlementValue[]
  readonly charges: SettlementValue[]
  readonly payments: SettlementValue[]
  readonly storedResponses: SettlementValue[]
}

/** Lists of which every so many values begin with the number of a record in the batch. */
const NUMBERED = { records: 0, charges: CHARGE_WIDTH, payments: PAYMENT_WIDTH, storedResponses: 0 } as const

function unpackInto(rows: UnpackedRows, bytes: Uint8Array): void {
  const reader = new CellReader(bytes, HEAD_NUMBERS)
  const [version, count = 0, ...lengths] = reader.head
  const width = WIDTHS.get(version ?? 0)
  invariant(width !== undefined, 'packed settlements are of a version that is known')
  invariant(reader.take() === rows.lowBalance, 'batches that are read as one have one line of low balances')
  for (const [place, list] of LISTS.entries()) {
    const values = rows[list]
    const from = values.length
    if (list === 'records') takeRecords(reader, { into: values, count: lengths[place] ?? 0, width })
    else for (let left = lengths[place] ?? 0; left > 0; left--) values.push(reader.take())
    if (rows.count === 0 || NUMBERED[list] === 0) continue
    for (let at = from; at < values.length; at += NUMBERED[list]) values[at] = (values[at] as number) + rows.count
  }
  reader.end()
  rows.count += count
  invariant(rows.records.length === rows.count * USAGE_WIDTH, 'a packed record has a value for every column')
}

function takeRecords(
  reader: CellReader,
  { into, count, width }: { into: SettlementValue[]; count: number; width: number },
): void {
  for (let taken = 0; taken < count; taken++) {
    into.push(reader.take())
    if ((taken + 1) % width === 0) for (let missing = USAGE_WIDTH - width; missing > 0; missing--) into.push(null)
  }
}
