import { pageDictionary } from './page-dictionary.ts'
import type { StartTexts } from './start-en.ts'

/** The words of the page that leads to a first call. */
export const startDictionary = pageDictionary<StartTexts>({
  en: () => import('./start-en.ts').then((file) => file.startEn),
  'zh-CN': () => import('./start-zh-cn.ts').then((file) => file.startZhCn),
})
