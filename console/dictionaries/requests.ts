import { pageDictionary } from './page-dictionary.ts'
import type { RequestsTexts } from './requests-en.ts'

/** The words of the admins' page of requests. */
export const requestsDictionary = pageDictionary<RequestsTexts>({
  en: () => import('./requests-en.ts').then((file) => file.requestsEn),
  'zh-CN': () => import('./requests-zh-cn.ts').then((file) => file.requestsZhCn),
})
