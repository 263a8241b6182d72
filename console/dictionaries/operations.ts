import type { OperationsTexts } from './operations-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words of the page that says what needs an admin. */
export const operationsDictionary = pageDictionary<OperationsTexts>({
  en: () => import('./operations-en.ts').then((file) => file.operationsEn),
  'zh-CN': () => import('./operations-zh-cn.ts').then((file) => file.operationsZhCn),
})
