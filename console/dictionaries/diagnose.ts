import type { DiagnoseTexts } from './diagnose-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words of the page that finds out why something failed. */
export const diagnoseDictionary = pageDictionary<DiagnoseTexts>({
  en: () => import('./diagnose-en.ts').then((file) => file.diagnoseEn),
  'zh-CN': () => import('./diagnose-zh-cn.ts').then((file) => file.diagnoseZhCn),
})
