import type { OneAccountTexts } from './one-account-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words of the parts of an account’s page. */
export const oneAccountDictionary = pageDictionary<OneAccountTexts>({
  en: () => import('./one-account-en.ts').then((file) => file.oneAccountEn),
  'zh-CN': () => import('./one-account-zh-cn.ts').then((file) => file.oneAccountZhCn),
})
