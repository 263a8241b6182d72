import type { RefusalsTexts } from './refusals-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words around why a request was refused, and of what fixes it. Loaded with the pages that show faults. */
export const refusalsDictionary = pageDictionary<RefusalsTexts>({
  en: () => import('./refusals-en.ts').then((file) => file.refusalsEn),
  'zh-CN': () => import('./refusals-zh-cn.ts').then((file) => file.refusalsZhCn),
})
