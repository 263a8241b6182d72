import { use } from 'react'
import { loadedTogether } from '../loaded-once.ts'
import { languageNow, usePreferences } from '../preferences.ts'
import { type Dictionary, DICTIONARIES, type PageTexts } from './page-texts.ts'
import { sharedEn, type SharedTexts } from './shared-en.ts'
import { sharedZhCn } from './shared-zh-cn.ts'

export type { PageTexts } from './page-texts.ts'

const FILES: { readonly [Name in keyof PageTexts]: Dictionary<PageTexts[Name]> } = DICTIONARIES

/** The texts in the reader's language. Suspends until they are here, which they are after `loadTexts`. */
export function useTexts<Name extends keyof PageTexts>(name: Name): PageTexts[Name] {
  return use(FILES[name][usePreferences().language]())
}

/** Starts loading, so that a route can fetch texts and page at once. */
export function loadTexts(...names: readonly (keyof PageTexts)[]): Promise<unknown> {
  const language = languageNow()
  return loadedTogether(names.map((name) => DICTIONARIES[name][language]()))
}

/** The words of the shell and of the parts in `ui/`, in the reader's language. Both are always here: they are small. */
export function useSharedTexts(): SharedTexts {
  return usePreferences().language === 'zh-CN' ? sharedZhCn : sharedEn
}
