import type { OverviewTexts } from './overview-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words of the page that shows at a glance how an account stands. */
export const overviewDictionary = pageDictionary<OverviewTexts>({
  en: () => import('./overview-en.ts').then((file) => file.overviewEn),
  'zh-CN': () => import('./overview-zh-cn.ts').then((file) => file.overviewZhCn),
})
