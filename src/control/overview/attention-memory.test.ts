import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../core/durations.ts'
import { type FoundItem, wholeItem } from './attention-item.ts'
import { remembered } from './attention-memory.ts'

function place() {
  const kept = new Map<string, string>()
  let writes = 0
  const settings = {
    read: async (name: string) => kept.get(name) ?? null,
    write: async (name: string, value: string) => {
      kept.set(name, value)
      writes += 1
    },
  }
  const look = async (items: readonly FoundItem[], minute: number, [here, ...others]: readonly string[]) => {
    const nodes = [{ id: here ?? '', here: true }, ...others.map((id) => ({ id, here: false }))]
    const seen = await remembered(items, minute * MINUTE_MS, { settings, nodes, log: { warn: () => {} } })
    return seen.items.map(({ kind, since }) => `${kind} ${Date.parse(since ?? '') / MINUTE_MS}`)
  }
  return { look, writes: () => writes, kept }
}

const nearlyFull = { of: 'data', bytes: 100, free_bytes: 5, full_in_days: null } as const
const disk: FoundItem = {
  ...wholeItem({ kind: 'disk_full', disk: nearlyFull, detail: 'The disk is nearly full.' }),
  severity: 'bad',
}
const model: FoundItem = {
  ...wholeItem({ kind: 'no_target', model: 'm', detail: 'It has none.' }),
  severity: 'bad',
}

test('what one node alone sees keeps its moment while others look, and begins anew once that node found it healed', async () => {
  const { look, writes } = place()
  expect(await look([disk], 1, ['a', 'b'])).toEqual(['disk_full 1'])
  expect(await look([], 2, ['b', 'a'])).toEqual([])
  expect(await look([disk], 3, ['a', 'b'])).toEqual(['disk_full 1'])
  expect(writes()).toBe(1)
  await look([], 4, ['a', 'b'])
  expect(await look([disk], 5, ['a', 'b'])).toEqual(['disk_full 5'])
})

test('what a node saw that is gone is forgotten', async () => {
  const { look } = place()
  await look([disk], 1, ['a', 'b'])
  await look([], 2, ['b'])
  expect(await look([disk], 3, ['a', 'b'])).toEqual(['disk_full 3'])
})

test('what every node sees begins anew once any of them found it healed', async () => {
  const { look } = place()
  await look([model], 1, ['a', 'b'])
  expect(await look([model], 2, ['b', 'a'])).toEqual(['no_target 1'])
  await look([], 3, ['b', 'a'])
  expect(await look([model], 4, ['a', 'b'])).toEqual(['no_target 4'])
})

test('moments that an earlier version kept are kept on', async () => {
  const { look, kept } = place()
  await look([model], 1, ['a'])
  const ids = Object.keys(JSON.parse(kept.get('attention_seen') ?? ''))
  kept.set('attention_seen', JSON.stringify({ [ids[0] ?? '']: 2 * MINUTE_MS }))
  expect(await look([model], 9, ['a'])).toEqual(['no_target 2'])
})
