import { expect, test } from 'vitest'
import { creditLines } from './credit-lines.ts'
import { eachOf } from './each-of.ts'

test('lines of a spreadsheet are read in its forms, without a header, and each that cannot be credited says why', () => {
  const text =
    '\uFEFFemail,amount\r\nada@x.test,12.50\r\n\r\n"bob@x.test"\t$ 3\nADA@x.test;1\neve,5\nmallory@x.test,-5\nzed@x.test,0\nyan@x.test,1,2'
  expect(creditLines(text).map(({ line, email, amount, problem }) => [line, email, amount, problem])).toEqual([
    [2, 'ada@x.test', '12.5', null],
    [4, 'bob@x.test', '3', null],
    [5, 'ADA@x.test', '1', 'twice'],
    [6, 'eve', '5', 'form'],
    [7, 'mallory@x.test', '-5', 'amount'],
    [8, 'zed@x.test', '0', 'amount'],
    [9, 'yan@x.test', '1', 'form'],
  ])
  expect(creditLines('')).toEqual([])
})

test('a step is done for each of many, and one that fails stops no other', async () => {
  const seen: number[] = []
  const outcomes = await eachOf([1, 2, 3, 4, 5, 6], async (item) => {
    seen.push(item)
    if (item === 2) throw new Error('no')
  })
  expect(seen).toEqual([1, 2, 3, 4, 5, 6])
  expect(outcomes.map(({ error }) => error === null)).toEqual([true, false, true, true, true, true])
})
