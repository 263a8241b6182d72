import { createElement } from 'react'
import { expect, test } from 'vitest'
import { drawn } from '../../drawn.ts'
import { FaultCode } from '../../ui/fault-code.tsx'
import { UsageBucketTable } from './usage-bucket-table.tsx'

const bars = [{ name: 'Nov 22', values: [1_500_000_000n, 28_500_000n] }]

test('amounts of the chart’s table have as many places, shown or left free, so that their points are in line', async () => {
  const html = await drawn(
    createElement(UsageBucketTable, { names: ['one', 'two'], bars: bars as never, measure: 'cost', by: 'day' }),
  )
  const places = [...html.matchAll(/\$\d+\.(\d+)<span[^>]*>(0*)</g)].map(([, shown = '', free = '']) => shown + free)
  expect(places).toHaveLength(3)
  expect(new Set(places.map(({ length }) => length))).toEqual(new Set([5]))
})

test('counts stand without room behind them', async () => {
  const html = await drawn(
    createElement(UsageBucketTable, { names: ['one'], bars: bars as never, measure: 'requests', by: 'day' }),
  )
  expect(html).not.toContain('invisible')
})

test('the code of an error leads to its page', async () => {
  expect(await drawn(createElement(FaultCode, { code: 'model_unknown' }))).toContain(
    'href="/docs/errors/model_unknown"',
  )
})
