import { pageDictionary } from './page-dictionary.ts'
import type { PlansTexts } from './plans-en.ts'

/** The words of the admins' page of plans and codes, and of an account's subscriptions. */
export const plansDictionary = pageDictionary<PlansTexts>({
  en: () => import('./plans-en.ts').then((file) => file.plansEn),
  'zh-CN': () => import('./plans-zh-cn.ts').then((file) => file.plansZhCn),
})
