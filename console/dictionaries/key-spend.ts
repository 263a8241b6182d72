import type { KeySpendTexts } from './key-spend-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words of the page that compares what keys spent. */
export const keySpendDictionary = pageDictionary<KeySpendTexts>({
  en: () => import('./key-spend-en.ts').then((file) => file.keySpendEn),
  'zh-CN': () => import('./key-spend-zh-cn.ts').then((file) => file.keySpendZhCn),
})
