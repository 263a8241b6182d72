import { expect, test } from 'vitest'
import { texts as usageEn } from '../../dictionaries/usage-en.ts'
import { sumOfFigures } from './buckets.ts'
import { seriesNames } from './figures-format.ts'

test('two keys of one name have names of their own, and no other gets anything behind its name', () => {
  const series = [
    { id: 'key_aaaa1111', name: 'laptop', end: 'wxyz', isRest: false, slot: null, totals: sumOfFigures([]) },
    { id: 'key_bbbb2222', name: 'server', end: 'efgh', isRest: false, slot: null, totals: sumOfFigures([]) },
    { id: 'key_cccc3333', name: 'laptop', end: null, isRest: false, slot: null, totals: sumOfFigures([]) },
    { id: null, name: null, end: null, isRest: true, slot: null, totals: sumOfFigures([]) },
  ]
  expect(seriesNames(series, 'key', usageEn)).toEqual(['laptop (…wxyz)', 'server', 'laptop (…3333)', usageEn.rest])
})
