import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetDrafts, keepOpenDrafts, keptDraft, openDraft } from './kept-drafts.ts'

const NOW_MS = Date.parse('2026-11-21T08:30:00Z')
const DAY_MS = 86_400_000

let build = '/console/assets/main-1.js'
const stored = new Map<string, string>()

beforeEach(() => {
  build = '/console/assets/main-1.js'
  stored.clear()
  vi.stubGlobal('document', { querySelector: () => ({ src: build }) })
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
    removeItem: (name: string) => void stored.delete(name),
  })
})
afterEach(() => vi.unstubAllGlobals())

/** Keeps what is written of one form by Ada, whose session ends now. */
function written(draft: object | null, name = 'key'): void {
  const close = openDraft(name, { person: 'ada', current: () => draft })
  keepOpenDrafts(NOW_MS)
  close()
}

const later = (person: string, afterMs = 1_000) => keptDraft('key', { person, nowMs: NOW_MS + afterMs })

test('a draft is there for the one who wrote it, and nothing of it is left after another signed in', () => {
  written({ name: 'phone' })
  expect(later('ada')).toEqual({ name: 'phone' })
  // forem/forem 21776: the next account in the same browser was shown the draft of the one before.
  expect(later('eve')).toBeUndefined()
  expect(stored.size).toBe(0)
  expect(later('ada')).toBeUndefined()
})

test('a draft is kept for a day, and by one version of the console', () => {
  written({ name: 'phone' })
  expect(later('ada', DAY_MS - 1)).toEqual({ name: 'phone' })
  expect(later('ada', DAY_MS)).toBeUndefined()
  written({ name: 'phone' })
  build = '/console/assets/main-2.js'
  expect(later('ada')).toBeUndefined()
})

test('what was not written, is too long, or was closed before is not kept', () => {
  written(null)
  expect(stored.size).toBe(0)
  written({ name: 'x'.repeat(60_000) })
  expect(stored.size).toBe(0)
  openDraft('key', { person: 'ada', current: () => ({ name: 'phone' }) })()
  keepOpenDrafts(NOW_MS)
  expect(stored.size).toBe(0)
})

test('one form forgets its draft and leaves the others, and a sign-out forgets all', () => {
  const close = openDraft('group', { person: 'ada', current: () => ({ name: 'east' }) })
  written({ name: 'phone' })
  close()
  forgetDrafts('group')
  expect(later('ada')).toEqual({ name: 'phone' })
  forgetDrafts()
  expect(stored.size).toBe(0)
})

test('a browser that forbids storage keeps nothing, and what others wrote there is not read', () => {
  stored.set('tollgate.drafts', '{"person":1}')
  expect(later('ada')).toBeUndefined()
  vi.stubGlobal('sessionStorage', {
    getItem: () => {
      throw new Error('storage is forbidden')
    },
    setItem: () => {
      throw new Error('storage is forbidden')
    },
  })
  written({ name: 'phone' })
  expect(later('ada')).toBeUndefined()
  forgetDrafts()
})
