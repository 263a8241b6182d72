import { pageDictionary } from './page-dictionary.ts'
import type { StaffTexts } from './staff-en.ts'

/** The words about roles that stand around the pages of those who run the gateway. */
export const staffDictionary = pageDictionary<StaffTexts>({
  en: () => import('./staff-en.ts').then((file) => file.staffEn),
  'zh-CN': () => import('./staff-zh-cn.ts').then((file) => file.staffZhCn),
})
