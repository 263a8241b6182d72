import { use } from 'react'
import { languageNow, usePreferences } from '../preferences.ts'
import type { Language } from './language.ts'

/** The texts of one page in both languages, each a file of its own that is loaded when it is wanted. */
export interface PageDictionary<Texts> {
  /** Starts loading, so that a route can fetch texts and page at once. */
  load(): Promise<Texts>
  /** The texts in the reader's language. Suspends until they are here, which they are after `load`. */
  useTexts(): Texts
}

export function pageDictionary<Texts>(files: Readonly<Record<Language, () => Promise<Texts>>>): PageDictionary<Texts> {
  const loading = new Map<Language, Promise<Texts>>()
  const load = (language: Language): Promise<Texts> => {
    const known = loading.get(language)
    if (known !== undefined) return known
    const fresh = files[language]()
    loading.set(language, fresh)
    // A failed load is tried again the next time.
    fresh.catch(() => loading.delete(language))
    return fresh
  }
  return {
    load: () => load(languageNow()),
    useTexts: () => use(load(usePreferences().language)),
  }
}
