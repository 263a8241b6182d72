import { expect, test } from 'vitest'
import { isAsMarked, keptNote, marksOf, mergeFields, withMarksFor } from './field-marks.ts'

const step = { hashState: (text: string) => `#${text}` }

test('a field that changed at the source alone is written, and one that did not is left as it is here', () => {
  const marks = marksOf(step, { status: 'active', ips: ['a'], limit: 5n })
  const wanted = { status: 'disabled', ips: ['a'], limit: 5n }
  expect(isAsMarked(step, wanted, marks)).toBe(false)
  const { write, kept, marks: after } = mergeFields(step, { wanted, here: { status: 'active', ips: ['b'] }, marks })
  expect({ write, kept }).toEqual({ write: { status: 'disabled' }, kept: [] })
  expect(isAsMarked(step, wanted, after)).toBe(true)
})

test('a field that changed at both stays as it is here, also when it changes at the source again', () => {
  const first = mergeFields(step, {
    wanted: { name: 'b' },
    here: { name: 'own' },
    marks: marksOf(step, { name: 'a' }),
  })
  expect(first).toMatchObject({ write: {}, kept: ['name'] })
  const again = mergeFields(step, { wanted: { name: 'c' }, here: { name: 'own' }, marks: first.marks })
  expect(again).toMatchObject({ write: {}, kept: ['name'] })
})

test('a field that was changed to the same at both is not written back when the source changes its mind', () => {
  const marks = marksOf(step, { status: 'active' })
  const both = mergeFields(step, { wanted: { status: 'disabled' }, here: { status: 'disabled' }, marks })
  expect(both).toMatchObject({ write: {}, kept: [] })
  const back = mergeFields(step, { wanted: { status: 'active' }, here: { status: 'disabled' }, marks: both.marks })
  expect(back).toMatchObject({ write: {}, kept: ['status'] })
})

test('a field without a mark is taken as it is here, unless it is said what it was', () => {
  const marks = marksOf(step, {})
  const wanted = { 'open:g': true }
  expect(mergeFields(step, { wanted, here: {}, marks }).write).toEqual({})
  const marked = withMarksFor(step, marks, { fields: ['open:g'], value: null })
  expect(mergeFields(step, { wanted, here: {}, marks: marked }).write).toEqual(wanted)
})

test('values are the same in whichever order their fields stand, and what is kept is named once', () => {
  const marks = marksOf(step, { limit: { a: 1n, b: null, c: [2] } })
  expect(isAsMarked(step, { limit: { c: [2], a: 1n } }, marks)).toBe(true)
  expect(keptNote(['target:a', 'target:b', 'name'], { target: 'targets' })).toMatch(/\(targets, name\)$/)
  expect(keptNote([], {})).toBeNull()
})
