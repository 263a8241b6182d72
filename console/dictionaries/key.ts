import type { KeyTexts } from './key-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words of the page of one key, and of test messages with it. */
export const keyDictionary = pageDictionary<KeyTexts>({
  en: () => import('./key-en.ts').then((file) => file.keyEn),
  'zh-CN': () => import('./key-zh-cn.ts').then((file) => file.keyZhCn),
})
