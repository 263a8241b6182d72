import { pageDictionary } from './page-dictionary.ts'
import type { PriceImportTexts } from './price-import-en.ts'

/** The words of the admins' page that imports prices. */
export const priceImportDictionary = pageDictionary<PriceImportTexts>({
  en: () => import('./price-import-en.ts').then((file) => file.priceImportEn),
  'zh-CN': () => import('./price-import-zh-cn.ts').then((file) => file.priceImportZhCn),
})
