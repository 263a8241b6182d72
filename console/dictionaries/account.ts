import type { AccountTexts } from './account-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words of the account page. */
export const accountDictionary = pageDictionary<AccountTexts>({
  en: () => import('./account-en.ts').then((file) => file.accountEn),
  'zh-CN': () => import('./account-zh-cn.ts').then((file) => file.accountZhCn),
})
