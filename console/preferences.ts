import { useSyncExternalStore } from 'react'
import { languageOf, type Language } from './language.ts'
import { storedText, storeText } from './stored-text.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

interface Preferences {
  readonly language: Language
  readonly theme: Theme
  /** Whether single keys do anything. Of this browser alone: who speaks to a device wants it off there. */
  readonly hasShortcuts: boolean
}

const LANGUAGE_KEY = 'tollgate.language'
const THEME_KEY = 'tollgate.theme'
const SHORTCUTS_KEY = 'tollgate.shortcuts'
const OFF = 'off'

let current: Preferences = {
  language: languageOf([storedText(LANGUAGE_KEY), ...navigator.languages]),
  theme: themeOf(storedText(THEME_KEY)),
  hasShortcuts: storedText(SHORTCUTS_KEY) !== OFF,
}
const listeners = new Set<() => void>()
/** The language that was asked for last: the words of an earlier wish may come after those of a later one. */
let wanted = current.language
let loadWords: (language: Language) => Promise<unknown> = () => Promise.resolve()

/** Language and theme of this browser: known before signing in, then what the account says. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, now, now)
}

function now(): Preferences {
  return current
}

/** The language outside of components, where no redraw is needed. */
export function languageNow(): Language {
  return current.language
}

/** Whether single keys do anything, outside of components. */
export function hasShortcuts(): boolean {
  return current.hasShortcuts
}

/** Takes the change at once and keeps it for the next visit. */
export function setPreferences(change: Partial<Preferences>): void {
  const next = { ...current, language: wanted, ...change }
  const isSame = next.language === wanted && next.theme === current.theme
  if (isSame && next.hasShortcuts === current.hasShortcuts) return
  storeText(LANGUAGE_KEY, next.language)
  storeText(THEME_KEY, next.theme)
  storeText(SHORTCUTS_KEY, next.hasShortcuts ? 'on' : OFF)
  take(next)
}

/** Sets what has to be here before the language changes: a page would else be blank meanwhile. */
export function beforeNewLanguage(load: (language: Language) => Promise<unknown>): void {
  loadWords = load
}

function take(next: Preferences): void {
  wanted = next.language
  if (next.language === current.language) return adopt(next)
  adopt({ ...next, language: current.language })
  // Words that cannot be fetched leave the language that is there; the next visit has the other.
  void loadWords(next.language)
    .then(() => wanted === next.language && adopt({ ...current, language: next.language }))
    .catch(() => {})
}

function adopt(next: Preferences): void {
  current = next
  const root = document.documentElement
  root.lang = next.language
  if (next.theme === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = next.theme
  for (const listener of listeners) listener()
}

/** What the account says, as far as it says anything. `null` leaves what this browser has. */
export function adoptPreferences(account: { readonly language: Language | null; readonly theme: Theme }): void {
  setPreferences({ theme: account.theme, ...(account.language === null ? {} : { language: account.language }) })
}

/** What another tab changes is taken here at once, too. */
export function followOtherTabs(): void {
  addEventListener('storage', ({ key, newValue }) => {
    const shown = { ...current, language: wanted }
    if (key === LANGUAGE_KEY) take({ ...shown, language: languageOf([newValue, ...navigator.languages]) })
    if (key === THEME_KEY) take({ ...shown, theme: themeOf(newValue) })
    if (key === SHORTCUTS_KEY) take({ ...shown, hasShortcuts: newValue !== OFF })
  })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function themeOf(text: string | null): Theme {
  return text === 'light' || text === 'dark' ? text : 'system'
}
