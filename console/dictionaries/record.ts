import { pageDictionary } from './page-dictionary.ts'
import type { RecordTexts } from './record-en.ts'

/** The words of a request's drawer. */
export const recordDictionary = pageDictionary<RecordTexts>({
  en: () => import('./record-en.ts').then((file) => file.recordEn),
  'zh-CN': () => import('./record-zh-cn.ts').then((file) => file.recordZhCn),
})
