import { use } from 'react'
import type { Language } from '../language.ts'
import { loadedOnce } from '../loaded-once.ts'
import { languageNow, usePreferences } from '../preferences.ts'
import { sharedEn, type SharedTexts } from './shared-en.ts'
import { sharedZhCn } from './shared-zh-cn.ts'

/** The texts of the pages. Each language is a file of its own, which is loaded when a page wants it. */
export const DICTIONARIES = {
  account: dictionary(
    () => import('./account-en.ts'),
    () => import('./account-zh-cn.ts'),
  ),
  accounts: dictionary(
    () => import('./accounts-en.ts'),
    () => import('./accounts-zh-cn.ts'),
  ),
  announcements: dictionary(
    () => import('./announcements-en.ts'),
    () => import('./announcements-zh-cn.ts'),
  ),
  audit: dictionary(
    () => import('./audit-en.ts'),
    () => import('./audit-zh-cn.ts'),
  ),
  billing: dictionary(
    () => import('./billing-en.ts'),
    () => import('./billing-zh-cn.ts'),
  ),
  captures: dictionary(
    () => import('./captures-en.ts'),
    () => import('./captures-zh-cn.ts'),
  ),
  /** The sentences that are written from the facts of a fault. */
  causes: dictionary(
    () => import('../../src/causes/english.ts').then(({ explainEnglish: explain }) => ({ texts: { explain } })),
    () => import('../../src/causes/chinese.ts').then(({ explainChinese: explain }) => ({ texts: { explain } })),
  ),
  diagnose: dictionary(
    () => import('./diagnose-en.ts'),
    () => import('./diagnose-zh-cn.ts'),
  ),
  faults: dictionary(
    () => import('./faults-en.ts'),
    () => import('./faults-zh-cn.ts'),
  ),
  favourites: dictionary(
    () => import('./favourites-en.ts'),
    () => import('./favourites-zh-cn.ts'),
  ),
  groups: dictionary(
    () => import('./groups-en.ts'),
    () => import('./groups-zh-cn.ts'),
  ),
  incidents: dictionary(
    () => import('./incidents-en.ts'),
    () => import('./incidents-zh-cn.ts'),
  ),
  key: dictionary(
    () => import('./key-en.ts'),
    () => import('./key-zh-cn.ts'),
  ),
  keySpend: dictionary(
    () => import('./key-spend-en.ts'),
    () => import('./key-spend-zh-cn.ts'),
  ),
  keys: dictionary(
    () => import('./keys-en.ts'),
    () => import('./keys-zh-cn.ts'),
  ),
  modelFacts: dictionary(
    () => import('./model-facts-en.ts'),
    () => import('./model-facts-zh-cn.ts'),
  ),
  modelSettings: dictionary(
    () => import('./model-settings-en.ts'),
    () => import('./model-settings-zh-cn.ts'),
  ),
  models: dictionary(
    () => import('./models-en.ts'),
    () => import('./models-zh-cn.ts'),
  ),
  oneAccount: dictionary(
    () => import('./one-account-en.ts'),
    () => import('./one-account-zh-cn.ts'),
  ),
  operations: dictionary(
    () => import('./operations-en.ts'),
    () => import('./operations-zh-cn.ts'),
  ),
  outside: dictionary(
    () => import('./outside-en.ts'),
    () => import('./outside-zh-cn.ts'),
  ),
  overview: dictionary(
    () => import('./overview-en.ts'),
    () => import('./overview-zh-cn.ts'),
  ),
  paymentSettings: dictionary(
    () => import('./payment-settings-en.ts'),
    () => import('./payment-settings-zh-cn.ts'),
  ),
  payments: dictionary(
    () => import('./payments-en.ts'),
    () => import('./payments-zh-cn.ts'),
  ),
  plans: dictionary(
    () => import('./plans-en.ts'),
    () => import('./plans-zh-cn.ts'),
  ),
  playground: dictionary(
    () => import('./playground-en.ts'),
    () => import('./playground-zh-cn.ts'),
  ),
  priceImport: dictionary(
    () => import('./price-import-en.ts'),
    () => import('./price-import-zh-cn.ts'),
  ),
  prices: dictionary(
    () => import('./prices-en.ts'),
    () => import('./prices-zh-cn.ts'),
  ),
  public: dictionary(
    () => import('./public-en.ts'),
    () => import('./public-zh-cn.ts'),
  ),
  record: dictionary(
    () => import('./record-en.ts'),
    () => import('./record-zh-cn.ts'),
  ),
  refusals: dictionary(
    () => import('./refusals-en.ts'),
    () => import('./refusals-zh-cn.ts'),
  ),
  requests: dictionary(
    () => import('./requests-en.ts'),
    () => import('./requests-zh-cn.ts'),
  ),
  settings: dictionary(
    () => import('./settings-en.ts'),
    () => import('./settings-zh-cn.ts'),
  ),
  setup: dictionary(
    () => import('./setup-en.ts'),
    () => import('./setup-zh-cn.ts'),
  ),
  staff: dictionary(
    () => import('./staff-en.ts'),
    () => import('./staff-zh-cn.ts'),
  ),
  start: dictionary(
    () => import('./start-en.ts'),
    () => import('./start-zh-cn.ts'),
  ),
  system: dictionary(
    () => import('./system-en.ts'),
    () => import('./system-zh-cn.ts'),
  ),
  upstreams: dictionary(
    () => import('./upstreams-en.ts'),
    () => import('./upstreams-zh-cn.ts'),
  ),
  usage: dictionary(
    () => import('./usage-en.ts'),
    () => import('./usage-zh-cn.ts'),
  ),
}

type Dictionary<Texts> = Readonly<Record<Language, () => Promise<Texts>>>

/** The texts of every page by the name of its dictionary. */
export type PageTexts = {
  readonly [Name in keyof typeof DICTIONARIES]: (typeof DICTIONARIES)[Name] extends Dictionary<infer Texts>
    ? Texts
    : never
}

const FILES: { readonly [Name in keyof PageTexts]: Dictionary<PageTexts[Name]> } = DICTIONARIES

/** The texts in the reader's language. Suspends until they are here, which they are after `loadTexts`. */
export function useTexts<Name extends keyof PageTexts>(name: Name): PageTexts[Name] {
  return use(FILES[name][usePreferences().language]())
}

/** Starts loading, so that a route can fetch texts and page at once. */
export function loadTexts(...names: readonly (keyof PageTexts)[]): Promise<unknown> {
  const language = languageNow()
  return Promise.all(names.map((name) => DICTIONARIES[name][language]()))
}

/** The words of the shell and of the parts in `ui/`, in the reader's language. Both are always here: they are small. */
export function useSharedTexts(): SharedTexts {
  return usePreferences().language === 'zh-CN' ? sharedZhCn : sharedEn
}

function dictionary<Texts>(
  en: () => Promise<{ readonly texts: Texts }>,
  chinese: () => Promise<{ readonly texts: Texts }>,
): Dictionary<Texts> {
  const textsOf = (file: () => Promise<{ readonly texts: Texts }>) =>
    loadedOnce(() => file().then(({ texts }) => texts))
  return { en: textsOf(en), 'zh-CN': textsOf(chinese) }
}
