import { useSyncExternalStore } from 'react'
import { languageOf, type Language } from './dictionaries/language.ts'

export type Theme = 'system' | 'light' | 'dark'

interface Preferences {
  readonly language: Language
  readonly theme: Theme
}

const LANGUAGE_KEY = 'tollgate.language'
const THEME_KEY = 'tollgate.theme'

let current: Preferences = {
  language: languageOf([remembered(LANGUAGE_KEY), ...navigator.languages]),
  theme: themeOf(remembered(THEME_KEY)),
}
const listeners = new Set<() => void>()

/** Language and theme of this browser: known before signing in, then what the account says. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, () => current)
}

/** The language outside of components, where no redraw is needed. */
export function languageNow(): Language {
  return current.language
}

/** Takes the change at once and keeps it for the next visit. */
export function setPreferences(change: Partial<Preferences>): void {
  const next = { ...current, ...change }
  if (next.language === current.language && next.theme === current.theme) return
  remember(LANGUAGE_KEY, next.language)
  remember(THEME_KEY, next.theme)
  take(next)
}

function take(next: Preferences): void {
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
    if (key === LANGUAGE_KEY) take({ ...current, language: languageOf([newValue, ...navigator.languages]) })
    if (key === THEME_KEY) take({ ...current, theme: themeOf(newValue) })
  })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function themeOf(text: string | null): Theme {
  return text === 'light' || text === 'dark' ? text : 'system'
}

/** A browser may forbid storage altogether; then nothing is kept. */
function remembered(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

function remember(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // Nothing is kept then.
  }
}
