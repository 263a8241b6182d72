import { expect, test } from 'vitest'
import { GO, type Pressed, type ShellKeysState, shellActionOf } from './shell-keys.ts'

const FREE: ShellKeysState = { isMac: false, isFree: true, isGoing: false }
const press = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
})

test('the palette opens by Ctrl+K, on a Mac by the command key, and while something is typed', () => {
  const typing = { ...FREE, isFree: false }
  expect(shellActionOf(press('k', { ctrlKey: true }), typing)).toEqual({ kind: 'palette' })
  expect(shellActionOf(press('K', { metaKey: true }), { ...typing, isMac: true })).toEqual({ kind: 'palette' })
  // It cuts to the end of the line there.
  expect(shellActionOf(press('k', { ctrlKey: true }), { ...typing, isMac: true })).toBeNull()
  expect(shellActionOf(press('k', { metaKey: true }), typing)).toBeNull()
})

test.for(['?', '/', 'n', 'g'])(
  '%s does nothing with a modifier, while something is typed, or when turned off',
  (key) => {
    expect(shellActionOf(press(key), FREE)).not.toBeNull()
    for (const modifier of ['ctrlKey', 'metaKey', 'altKey'] as const)
      expect(shellActionOf(press(key, { [modifier]: true }), FREE)).toBeNull()
    expect(shellActionOf(press(key), { ...FREE, isFree: false })).toBeNull()
  },
)

test('g and a letter go to a page, and the letter alone does nothing', () => {
  for (const [key, page] of Object.entries(GO)) {
    expect(shellActionOf(press(key), { ...FREE, isGoing: true })).toEqual({ kind: 'page', page })
    expect(shellActionOf(press(key), FREE)).toBeNull()
  }
  expect(shellActionOf(press('n'), { ...FREE, isGoing: true })).toBeNull()
  expect(shellActionOf(press('toString'), { ...FREE, isGoing: true })).toBeNull()
})
