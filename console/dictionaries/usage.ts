import { pageDictionary } from './page-dictionary.ts'
import type { UsageTexts } from './usage-en.ts'

/** The words of the usage page. */
export const usageDictionary = pageDictionary<UsageTexts>({
  en: () => import('./usage-en.ts').then((file) => file.usageEn),
  'zh-CN': () => import('./usage-zh-cn.ts').then((file) => file.usageZhCn),
})
