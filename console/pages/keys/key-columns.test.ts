import { expect, test } from 'vitest'
import { returned } from '../../drawn.ts'
import { useModelColumns } from '../models/model-columns.tsx'
import { useKeySpendColumns } from '../usage/key-spend-columns.tsx'
import { useKeyColumns } from './key-columns.tsx'

/** By name the first comes first, and of prices the cheapest. */
const ASCENDING = ['name', 'input', 'output']

test('the first press on the header of an amount, a count or a time sorts the most or the latest first', async () => {
  const lists = [
    await returned(() => useKeyColumns(() => {}, undefined, 2)),
    await returned(useKeySpendColumns),
    await returned(() => useModelColumns(false)),
  ]
  const sorted = lists.flatMap((columns) =>
    columns.flatMap(({ sort, sortsFirst }) => (sort ? [{ sort, sortsFirst }] : [])),
  )
  const descending = sorted.filter(({ sortsFirst }) => sortsFirst === 'desc').map(({ sort }) => sort)
  expect(sorted.filter(({ sort }) => !ASCENDING.includes(sort)).map(({ sort }) => sort)).toEqual(descending)
  expect(descending).toEqual(
    expect.arrayContaining(['spent', 'last_used_at', 'expires_at', 'created_at', 'cost', 'requests', 'tokens', 'use']),
  )
})
