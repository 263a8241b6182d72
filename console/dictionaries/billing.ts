import type { BillingTexts } from './billing-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words of the billing page. */
export const billingDictionary = pageDictionary<BillingTexts>({
  en: () => import('./billing-en.ts').then((file) => file.billingEn),
  'zh-CN': () => import('./billing-zh-cn.ts').then((file) => file.billingZhCn),
})
