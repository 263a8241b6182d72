import { pageDictionary } from './page-dictionary.ts'
import type { PublicTexts } from './public-en.ts'

/** The words of the pages that need no sign-in. */
export const publicDictionary = pageDictionary<PublicTexts>({
  en: () => import('./public-en.ts').then((file) => file.publicEn),
  'zh-CN': () => import('./public-zh-cn.ts').then((file) => file.publicZhCn),
})
