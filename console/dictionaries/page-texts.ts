import type { Language } from '../language.ts'
import { loadedOnce } from '../loaded-once.ts'

/** The texts of the pages. Each language is a file of its own, which is loaded when a page wants it. */
export const DICTIONARIES = {
  account: dictionary({ en: () => import('./account-en.ts'), 'zh-CN': () => import('./account-zh-cn.ts') }),
  accounts: dictionary({ en: () => import('./accounts-en.ts'), 'zh-CN': () => import('./accounts-zh-cn.ts') }),
  announcements: dictionary({
    en: () => import('./announcements-en.ts'),
    'zh-CN': () => import('./announcements-zh-cn.ts'),
  }),
  audit: dictionary({ en: () => import('./audit-en.ts'), 'zh-CN': () => import('./audit-zh-cn.ts') }),
  billing: dictionary({ en: () => import('./billing-en.ts'), 'zh-CN': () => import('./billing-zh-cn.ts') }),
  captures: dictionary({ en: () => import('./captures-en.ts'), 'zh-CN': () => import('./captures-zh-cn.ts') }),
  /** The sentences that are written from the facts of a fault. */
  causes: dictionary({
    en: () => import('../../src/causes/english.ts').then(({ explainEnglish: explain }) => ({ texts: { explain } })),
    'zh-CN': () =>
      import('../../src/causes/chinese.ts').then(({ explainChinese: explain }) => ({ texts: { explain } })),
  }),
  connecting: dictionary({ en: () => import('./connecting-en.ts'), 'zh-CN': () => import('./connecting-zh-cn.ts') }),
  devices: dictionary({ en: () => import('./devices-en.ts'), 'zh-CN': () => import('./devices-zh-cn.ts') }),
  diagnose: dictionary({ en: () => import('./diagnose-en.ts'), 'zh-CN': () => import('./diagnose-zh-cn.ts') }),
  faults: dictionary({ en: () => import('./faults-en.ts'), 'zh-CN': () => import('./faults-zh-cn.ts') }),
  favourites: dictionary({ en: () => import('./favourites-en.ts'), 'zh-CN': () => import('./favourites-zh-cn.ts') }),
  groups: dictionary({ en: () => import('./groups-en.ts'), 'zh-CN': () => import('./groups-zh-cn.ts') }),
  incidents: dictionary({ en: () => import('./incidents-en.ts'), 'zh-CN': () => import('./incidents-zh-cn.ts') }),
  key: dictionary({ en: () => import('./key-en.ts'), 'zh-CN': () => import('./key-zh-cn.ts') }),
  keySpend: dictionary({ en: () => import('./key-spend-en.ts'), 'zh-CN': () => import('./key-spend-zh-cn.ts') }),
  keys: dictionary({ en: () => import('./keys-en.ts'), 'zh-CN': () => import('./keys-zh-cn.ts') }),
  modelFacts: dictionary({ en: () => import('./model-facts-en.ts'), 'zh-CN': () => import('./model-facts-zh-cn.ts') }),
  modelSettings: dictionary({
    en: () => import('./model-settings-en.ts'),
    'zh-CN': () => import('./model-settings-zh-cn.ts'),
  }),
  models: dictionary({ en: () => import('./models-en.ts'), 'zh-CN': () => import('./models-zh-cn.ts') }),
  oneAccount: dictionary({ en: () => import('./one-account-en.ts'), 'zh-CN': () => import('./one-account-zh-cn.ts') }),
  operations: dictionary({ en: () => import('./operations-en.ts'), 'zh-CN': () => import('./operations-zh-cn.ts') }),
  outside: dictionary({ en: () => import('./outside-en.ts'), 'zh-CN': () => import('./outside-zh-cn.ts') }),
  overview: dictionary({ en: () => import('./overview-en.ts'), 'zh-CN': () => import('./overview-zh-cn.ts') }),
  paymentSettings: dictionary({
    en: () => import('./payment-settings-en.ts'),
    'zh-CN': () => import('./payment-settings-zh-cn.ts'),
  }),
  payments: dictionary({ en: () => import('./payments-en.ts'), 'zh-CN': () => import('./payments-zh-cn.ts') }),
  plans: dictionary({ en: () => import('./plans-en.ts'), 'zh-CN': () => import('./plans-zh-cn.ts') }),
  playground: dictionary({ en: () => import('./playground-en.ts'), 'zh-CN': () => import('./playground-zh-cn.ts') }),
  priceImport: dictionary({
    en: () => import('./price-import-en.ts'),
    'zh-CN': () => import('./price-import-zh-cn.ts'),
  }),
  prices: dictionary({ en: () => import('./prices-en.ts'), 'zh-CN': () => import('./prices-zh-cn.ts') }),
  public: dictionary({ en: () => import('./public-en.ts'), 'zh-CN': () => import('./public-zh-cn.ts') }),
  record: dictionary({ en: () => import('./record-en.ts'), 'zh-CN': () => import('./record-zh-cn.ts') }),
  refusals: dictionary({ en: () => import('./refusals-en.ts'), 'zh-CN': () => import('./refusals-zh-cn.ts') }),
  requests: dictionary({ en: () => import('./requests-en.ts'), 'zh-CN': () => import('./requests-zh-cn.ts') }),
  settings: dictionary({ en: () => import('./settings-en.ts'), 'zh-CN': () => import('./settings-zh-cn.ts') }),
  setup: dictionary({ en: () => import('./setup-en.ts'), 'zh-CN': () => import('./setup-zh-cn.ts') }),
  staff: dictionary({ en: () => import('./staff-en.ts'), 'zh-CN': () => import('./staff-zh-cn.ts') }),
  start: dictionary({ en: () => import('./start-en.ts'), 'zh-CN': () => import('./start-zh-cn.ts') }),
  system: dictionary({ en: () => import('./system-en.ts'), 'zh-CN': () => import('./system-zh-cn.ts') }),
  upstreams: dictionary({ en: () => import('./upstreams-en.ts'), 'zh-CN': () => import('./upstreams-zh-cn.ts') }),
  usage: dictionary({ en: () => import('./usage-en.ts'), 'zh-CN': () => import('./usage-zh-cn.ts') }),
}

/** The words that every page needs. */
export const EVERY_PAGE = dictionary({
  en: () => import('./every-page-en.ts'),
  'zh-CN': () => import('./every-page-zh-cn.ts'),
})

export type Dictionary<Texts> = Readonly<Record<Language, () => Promise<Texts>>>

/** The texts of every page by the name of its dictionary. */
export type PageTexts = {
  readonly [Name in keyof typeof DICTIONARIES]: (typeof DICTIONARIES)[Name] extends Dictionary<infer Texts>
    ? Texts
    : never
}

function dictionary<Texts>(files: Dictionary<{ readonly texts: Texts }>): Dictionary<Texts> {
  const textsOf = (language: Language) => loadedOnce(() => files[language]().then(({ texts }) => texts))
  return { en: textsOf('en'), 'zh-CN': textsOf('zh-CN') }
}
