import { pageDictionary } from './page-dictionary.ts'
import type { PaymentSettingsTexts } from './payment-settings-en.ts'

/** The words of how payments are taken. */
export const paymentSettingsDictionary = pageDictionary<PaymentSettingsTexts>({
  en: () => import('./payment-settings-en.ts').then((file) => file.paymentSettingsEn),
  'zh-CN': () => import('./payment-settings-zh-cn.ts').then((file) => file.paymentSettingsZhCn),
})
