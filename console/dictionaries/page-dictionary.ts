import { use } from 'react'
import { loadedOnce } from '../loaded-once.ts'
import { languageNow, usePreferences } from '../preferences.ts'
import type { Language } from '../language.ts'

/** The texts of one page in both languages, each a file of its own that is loaded when it is wanted. */
export interface PageDictionary<Texts> {
  /** Starts loading, so that a route can fetch texts and page at once. */
  load(): Promise<Texts>
  /** The texts in the reader's language. Suspends until they are here, which they are after `load`. */
  useTexts(): Texts
}

export function pageDictionary<Texts>(files: Readonly<Record<Language, () => Promise<Texts>>>): PageDictionary<Texts> {
  const loads = { en: loadedOnce(files.en), 'zh-CN': loadedOnce(files['zh-CN']) }
  return {
    load: () => loads[languageNow()](),
    useTexts: () => use(loads[usePreferences().language]()),
  }
}
