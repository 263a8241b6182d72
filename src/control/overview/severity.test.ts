import { expect, test } from 'vitest'
import type { AttentionItemView } from '../../contract/attention.ts'
import { worstFirst } from './severity.ts'

type Item = Pick<AttentionItemView, 'kind' | 'disk'> & { readonly name: string }

const disk = (freeBytes: number) =>
  ({ holds: 'data', free_bytes: freeBytes, bytes: 100, full_in_days: null }) as unknown as AttentionItemView['disk']

test('what stops requests comes before what warns, and each in the order in which it came', () => {
  const items: readonly Item[] = [
    { name: 'alerts', kind: 'alerts_failing', disk: null },
    { name: 'nearly full', kind: 'disk_full', disk: disk(9) },
    { name: 'no target', kind: 'no_target', disk: null },
    { name: 'price', kind: 'unpriced', disk: null },
    { name: 'no margin', kind: 'no_margin', disk: null },
    { name: 'full', kind: 'disk_full', disk: disk(5) },
    { name: 'held', kind: 'credential_held', disk: null },
  ]
  const order = worstFirst(items).map(({ name, severity }) => `${name} ${severity}`)
  const bad = ['no target bad', 'no margin bad', 'full bad', 'held bad']
  expect(order).toEqual([...bad, 'alerts warning', 'nearly full warning', 'price warning'])
})
