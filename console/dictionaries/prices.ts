import { pageDictionary } from './page-dictionary.ts'
import type { PricesTexts } from './prices-en.ts'

/** The words of the admins' pages of models and prices. */
export const pricesDictionary = pageDictionary<PricesTexts>({
  en: () => import('./prices-en.ts').then((file) => file.pricesEn),
  'zh-CN': () => import('./prices-zh-cn.ts').then((file) => file.pricesZhCn),
})
