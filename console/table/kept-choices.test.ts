import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { changeKept, keptText } from './kept-choices.ts'
import { withColumns } from './table-choices.ts'

const HIDDEN = new Map([['group', false]])
let stored: Map<string, string>

beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('each account of a browser has its own, and so has what needs no sign-in', () => {
  changeKept('acc_a', (choices) => ({ ...choices, isCompact: true }))
  changeKept('acc_b', (choices) => withColumns(choices, 'keys', HIDDEN))
  expect(keptText('acc_a')).toBe('{"compact":true}')
  expect(keptText('acc_b')).toBe('{"columns":{"keys":{"group":false}}}')
  expect([keptText('acc_c'), keptText(null)]).toEqual([null, null])
})

test('a change keeps what another tab has changed, and nothing is left when all is as at first', () => {
  changeKept('acc_a', (choices) => ({ ...choices, isCompact: true }))
  stored.set('tollgate.tables.acc_a', '{"compact":true,"columns":{"usage":{"model":false}}}')
  changeKept('acc_a', (choices) => withColumns(choices, 'keys', HIDDEN))
  expect(keptText('acc_a')).toBe('{"compact":true,"columns":{"usage":{"model":false},"keys":{"group":false}}}')
  changeKept('acc_a', () => ({ isCompact: false, columns: new Map() }))
  expect(stored.size).toBe(0)
})

test('where the browser keeps nothing, a choice lasts as long as the page', () => {
  vi.stubGlobal('localStorage', undefined)
  changeKept('acc_z', (choices) => ({ ...choices, isCompact: true }))
  expect(keptText('acc_z')).toBe('{"compact":true}')
  changeKept('acc_z', (choices) => ({ ...choices, isCompact: false }))
  expect(keptText('acc_z')).toBe(null)
})
