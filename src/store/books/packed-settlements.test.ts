import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { headOf, PACKED_VERSION, packSettlements, unpackSettlements } from './packed-settlements.ts'
import {
  CHARGE_WIDTH,
  PAYMENT_WIDTH,
  type SettlementRows,
  type SettlementValue,
  STORED_RESPONSE_WIDTH,
} from '../engine/settlement-rows.ts'
import { USAGE_COLUMNS, USAGE_WIDTH } from './usage-columns.ts'

const AMOUNT_LIMIT = 2n ** 63n

const amount = fc.oneof(
  fc.bigInt({ min: -AMOUNT_LIMIT, max: AMOUNT_LIMIT - 1n }),
  fc.bigInt({ min: -2n, max: 2n ** 33n }),
  fc.constantFrom(0n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n + 1n, AMOUNT_LIMIT - 1n, -AMOUNT_LIMIT),
)
const number = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer(),
  fc.constantFrom(0, -1, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
)
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', 'gpt-5.5', '模型 🜁', 'x'.repeat(70_000), '\u0000', '\u{10FFFF}'),
)
const value: fc.Arbitrary<SettlementValue> = fc.oneof(fc.constant(null), text, number, amount)

const values = (length: number) => fc.array(value, { minLength: length, maxLength: length })

/** Lists that begin each of their parts with the number of a record. */
function numbered(count: number, width: number): fc.Arbitrary<SettlementValue[]> {
  const part = fc
    .tuple(fc.integer({ min: 0, max: count - 1 }), values(width - 1))
    .map(([index, rest]) => [index, ...rest])
  return fc.array(part, { maxLength: 4 }).map((parts) => parts.flat())
}

const batch: fc.Arbitrary<Omit<SettlementRows, 'lowBalance'>> = fc.integer({ min: 1, max: 3 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    records: values(count * USAGE_WIDTH),
    charges: numbered(count, CHARGE_WIDTH),
    payments: numbered(count, PAYMENT_WIDTH),
    storedResponses: fc.array(values(STORED_RESPONSE_WIDTH), { maxLength: 3 }).map((parts) => parts.flat()),
  }),
)
const lowBalance = fc.option(amount)

test('every value of a batch is the same after packing: null, text of any script, numbers and amounts of any size', () => {
  fc.assert(
    fc.property(batch, lowBalance, (rows, low) => {
      const packed = packSettlements({ ...rows, lowBalance: low })
      expect(headOf(packed)).toEqual({ count: rows.count, lowBalance: low })
      expect(unpackSettlements([packed])).toStrictEqual({ ...rows, lowBalance: low })
    }),
  )
})

test('batches that are unpacked together are one batch, in which each charge and payment names its own record', () => {
  fc.assert(
    fc.property(fc.array(batch, { minLength: 1, maxLength: 4 }), lowBalance, (batches, low) => {
      const packed = batches.map((rows) => packSettlements({ ...rows, lowBalance: low }))
      const nothing: SettlementRows = { ...EMPTY, count: 0, records: [], lowBalance: low }
      const expected = batches.reduce<SettlementRows>(
        (all, rows) => ({
          count: all.count + rows.count,
          records: [...all.records, ...rows.records],
          charges: [...all.charges, ...renumbered(rows.charges, CHARGE_WIDTH, all.count)],
          payments: [...all.payments, ...renumbered(rows.payments, PAYMENT_WIDTH, all.count)],
          storedResponses: [...all.storedResponses, ...rows.storedResponses],
          lowBalance: low,
        }),
        nothing,
      )
      expect(unpackSettlements(packed)).toStrictEqual(expected)
    }),
  )
})

function renumbered(list: readonly SettlementValue[], width: number, by: number): SettlementValue[] {
  return list.map((one, at) => (at % width === 0 ? (one as number) + by : one))
}

const EMPTY = { charges: [], payments: [], storedResponses: [], lowBalance: null }
const record = (first: unknown) => [first as SettlementValue, ...Array<null>(USAGE_WIDTH - 1).fill(null)]

test.each([
  ['an amount beyond 64 bits', 2n ** 63n],
  ['a fraction', 0.5],
  ['a number that is not exact', 2 ** 53],
  ['no value at all', undefined],
  ['an object', {}],
])('%s is refused', (_, wrong) => {
  expect(() => packSettlements({ ...EMPTY, count: 1, records: record(wrong) })).toThrow(/whole number|too large/)
  // What was refused is in no later batch.
  const fine = { ...EMPTY, count: 1, records: record('a') }
  expect(unpackSettlements([packSettlements(fine)])).toStrictEqual(fine)
})

test('bytes that are cut short, longer or of another version are not read', () => {
  const packed = packSettlements({ ...EMPTY, count: 1, records: record('request') })
  const changed = (change: (bytes: Uint8Array) => void) => {
    const bytes = packed.slice()
    change(bytes)
    return [bytes]
  }
  expect(() => unpackSettlements([packed.subarray(0, packed.length - 1)])).toThrow()
  expect(() => unpackSettlements([packed.subarray(0, 20)])).toThrow()
  expect(() => unpackSettlements([Uint8Array.of(...packed, 65)])).toThrow()
  expect(() => unpackSettlements(changed((bytes) => bytes.fill(PACKED_VERSION + 1, 0, 1)))).toThrow(/version/)
  expect(() => unpackSettlements(changed((bytes) => bytes.fill(2, 4, 5)))).toThrow(/every column/)
})

test.for([
  [1, 6],
  [2, 5],
  [3, 4],
  [4, 3],
  [5, 2],
  [6, 1],
] as const)('what version $0 left is read, with null for the columns that it did not have', ([version, missing]) => {
  const rows = { ...EMPTY, count: 1, records: record('request').slice(0, -missing) }
  const packed = packSettlements(rows)
  packed[0] = version
  expect(unpackSettlements([packed])).toStrictEqual({ ...rows, records: record('request') })
})

test('other columns of a usage record are another version of the layout, and new ones come last', () => {
  const columnsOf = (width: number) =>
    createHash('sha256')
      .update(
        USAGE_COLUMNS.slice(0, width)
          .map(([name]) => name)
          .join(' '),
      )
      .digest('hex')
      .slice(0, 16)
  expect({ version: PACKED_VERSION, columns: columnsOf(USAGE_WIDTH) }).toEqual({
    version: 7,
    columns: 'a47dfbe7aab7c850',
  })
  expect(columnsOf(44)).toBe('7b401ce758001da5')
  expect(columnsOf(43)).toBe('13f9715da13644fa')
  expect(columnsOf(42)).toBe('4db4d8102f7f5cd2')
  expect(columnsOf(41)).toBe('be0ceb4082ab27e7')
  expect(columnsOf(40)).toBe('efd06ba55026e4f2')
  expect(columnsOf(39)).toBe('5d289c100210ab54')
})
