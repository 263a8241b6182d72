import { pageDictionary } from './page-dictionary.ts'
import type { OutsideTexts } from './outside-en.ts'

/** The words of every page before signing in. */
export const outsideDictionary = pageDictionary<OutsideTexts>({
  en: () => import('./outside-en.ts').then((file) => file.outsideEn),
  'zh-CN': () => import('./outside-zh-cn.ts').then((file) => file.outsideZhCn),
})
