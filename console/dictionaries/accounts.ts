import type { AccountsTexts } from './accounts-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words of the pages of accounts. */
export const accountsDictionary = pageDictionary<AccountsTexts>({
  en: () => import('./accounts-en.ts').then((file) => file.accountsEn),
  'zh-CN': () => import('./accounts-zh-cn.ts').then((file) => file.accountsZhCn),
})
