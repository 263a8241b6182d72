import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Slots } from './slots.ts'

test('whatever is added and removed in whatever order, it holds what a Set would', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -20, max: 20 })), (steps) => {
      const slots = new Slots<{ n: number }>()
      const model = new Map<number, { n: number }>()
      for (const n of steps) {
        if (n >= 0) {
          const item = { n }
          const place = slots.add(item)
          expect(model.has(place)).toBe(false)
          model.set(place, item)
        } else {
          expect(slots.remove(-n - 1)).toBe(model.get(-n - 1) ?? null)
          model.delete(-n - 1)
        }
        expect(slots.size).toBe(model.size)
        expect(new Set(slots)).toEqual(new Set(model.values()))
      }
    }),
  )
})

test('what is removed while all are looked at is not met any more', () => {
  const slots = new Slots<string>()
  slots.add('a')
  const second = slots.add('b')
  const met: string[] = []
  for (const item of slots) {
    met.push(item)
    slots.remove(second)
  }
  expect(met).toEqual(['a'])
})
