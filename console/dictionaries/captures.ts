import type { CapturesTexts } from './captures-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words of captures, which admins alone see. */
export const capturesDictionary = pageDictionary<CapturesTexts>({
  en: () => import('./captures-en.ts').then((file) => file.capturesEn),
  'zh-CN': () => import('./captures-zh-cn.ts').then((file) => file.capturesZhCn),
})
