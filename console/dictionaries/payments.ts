import { pageDictionary } from './page-dictionary.ts'
import type { PaymentsTexts } from './payments-en.ts'

/** The words of topping up and of orders. */
export const paymentsDictionary = pageDictionary<PaymentsTexts>({
  en: () => import('./payments-en.ts').then((file) => file.paymentsEn),
  'zh-CN': () => import('./payments-zh-cn.ts').then((file) => file.paymentsZhCn),
})
