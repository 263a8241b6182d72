import { expect, test } from 'vitest'
import { ImportNotes } from './import-plan.ts'
import { notesReport } from './report.ts'
import { isSetValue, noteOtherKeys } from './set-values.ts'

test.for([
  [null, false],
  [0, false],
  [false, false],
  ['', false],
  [[], false],
  [{ a: [], b: { c: '' } }, false],
  [1, true],
  [-0.5, true],
  [true, true],
  ['0', true],
  [[0, 1], true],
  [{ a: { b: false, c: 'x' } }, true],
] as const)('%j says something: %s', ([value, isSet]) => {
  expect(isSetValue(value)).toBe(isSet)
})

test('each key that is set and not carried is named once with all its rows and their number', () => {
  const notes = new ImportNotes()
  for (let id = 1; id <= 12; id++) {
    const extra = JSON.stringify({ carried: 1, limit: id, off: id === 3 ? 'yes' : '' })
    noteOtherKeys({ id: String(id), extra }, 'extra', { table: 'accounts', notes, carried: ['carried'] })
  }
  expect(notesReport(notes.notes)).toEqual([
    '  accounts 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 (12 in all): have extra.limit, which is not carried',
    '  accounts 3: have extra.off, which is not carried',
  ])
})
