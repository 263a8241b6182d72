import { afterEach, expect, test, vi } from 'vitest'
import { forgetCode, keepCode, keptCode } from './kept-code.ts'

afterEach(() => vi.unstubAllGlobals())

function tab(): Map<string, string> {
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  })
  return kept
}

test('a code waits in its tab for ten minutes, and is gone when it is forgotten', () => {
  tab()
  keepCode({ code: 'BCDF-GHJK', isTyped: true }, 1_000)
  expect(keptCode(600_999)).toEqual({ code: 'BCDF-GHJK', isTyped: true })
  expect(keptCode(601_000)).toBeNull()
  forgetCode()
  expect(keptCode(1_000)).toBeNull()
})

test('what something else wrote there is not taken for a code, nor a link for typed', () => {
  const kept = tab()
  for (const text of ['', 'null', '{', '[]', '{"code":7,"at":1}', '{"code":"BCDF-GHJK"}']) {
    kept.set('tollgate.device-code', text)
    expect(keptCode(1), text).toBeNull()
  }
  kept.set('tollgate.device-code', '{"code":"BCDF-GHJK","isTyped":"yes","at":1}')
  expect(keptCode(1)).toEqual({ code: 'BCDF-GHJK', isTyped: false })
})
