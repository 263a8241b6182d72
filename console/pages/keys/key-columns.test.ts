import { createElement } from 'react'
import { expect, test } from 'vitest'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import { keyViews } from '../../../test/support/key-views.ts'
import { drawn, returned } from '../../drawn.ts'
import { useModelColumns } from '../models/model-columns.tsx'
import { useKeySpendColumns } from '../usage/key-spend-columns.tsx'
import { QuotaCell } from './key-cells.tsx'
import { useKeyColumns } from './key-columns.tsx'

/** Columns that begin with the first name or the lowest price. */
const ASCENDING = ['name', 'input', 'output']

test('the first press on the header of an amount, a count or a time sorts the most or the latest first', async () => {
  const lists = [
    await returned(() => useKeyColumns(() => {}, undefined, { places: 2, room: 0 })),
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

test('the limit of a key says that it is raised, until when and what it is then', async () => {
  const [laptop] = keyViews(Date.now())
  if (laptop === undefined) throw new Error('there is a key')
  const said = async (about: Partial<ApiKeyView>) => {
    const apiKey = { ...laptop, quota_limit: '25', ...about }
    return drawn(createElement(QuotaCell, { apiKey }))
  }
  const ends_at = new Date(Date.now() + 3 * 86_400_000 + 60_000).toISOString()
  expect(await said({ quota_raise: { limit: '10', ends_at } })).toContain(
    'Raised by an admin, back to $10.00 in 3 days',
  )
  expect(await said({ quota_raise: null })).not.toContain('Raised')
})
