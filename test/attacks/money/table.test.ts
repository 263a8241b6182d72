import { expect, test } from 'vitest'
import { MONEY_CASES } from './all-cases.ts'
import { titleOf } from './money-case.ts'
import { expectedCells, missingRules, rowsWithoutFigures, writeFixedCells, writtenCells } from './table.ts'

test('the documentation names each attack on money, with its bound and what it cost', async () => {
  if (process.env['TOLLGATE_WRITE_DOCS'] === '1') await writeFixedCells()
  expect(await writtenCells()).toEqual(expectedCells())
  expect(await missingRules()).toEqual([])
  expect(await rowsWithoutFigures()).toEqual([])
})

test('there are more than sixty of them, and no two are the same', () => {
  expect(new Set(MONEY_CASES.map(titleOf)).size).toBe(MONEY_CASES.length)
  expect(MONEY_CASES.length).toBeGreaterThan(60)
})
