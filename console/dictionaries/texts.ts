import { use } from 'react'
import { loadedTogether } from '../loaded-once.ts'
import { languageNow, usePreferences } from '../preferences.ts'
import { EVERY_PAGE, type Dictionary, DICTIONARIES, type PageTexts } from './page-texts.ts'
import type { Language } from '../language.ts'
import type { EveryPageTexts } from './every-page-en.ts'
import type { SharedTexts } from './shared-en.ts'

export type { PageTexts } from './page-texts.ts'

const FILES: { readonly [Name in keyof PageTexts]: Dictionary<PageTexts[Name]> } = DICTIONARIES

/** The names of texts that were fetched, which a page may show. */
const inUse = new Set<keyof PageTexts>()

/** The texts in the reader's language. Suspends until they are here, which they are after `loadTexts`. */
export function useTexts<Name extends keyof PageTexts>(name: Name): PageTexts[Name] {
  inUse.add(name)
  return use(FILES[name][usePreferences().language]())
}

/** Starts loading, so that a route can fetch texts and page at once. */
export function loadTexts(...names: readonly (keyof PageTexts)[]): Promise<unknown> {
  const language = languageNow()
  for (const name of names) inUse.add(name)
  return loadedTogether(names.map((name) => DICTIONARIES[name][language]()))
}

/** Loads the words that every page needs, before anything is drawn. */
export function loadEveryPageTexts(language: Language): Promise<EveryPageTexts> {
  return EVERY_PAGE[language]()
}

/** Loads all words that are in use, before the language changes: a page would else be blank meanwhile. */
export function loadTextsInUse(language: Language): Promise<unknown> {
  return loadedTogether([EVERY_PAGE[language](), ...[...inUse].map((name) => DICTIONARIES[name][language]())])
}

/** The words that every page needs, in the reader's language. They are here before anything is drawn. */
export function useEveryPageTexts(): EveryPageTexts {
  return use(EVERY_PAGE[usePreferences().language]())
}

/** The words of the shell and of the parts in `ui/`, in the reader's language. */
export function useSharedTexts(): SharedTexts {
  return useEveryPageTexts().shared
}
