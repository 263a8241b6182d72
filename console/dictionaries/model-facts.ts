import type { ModelFactsTexts } from './model-facts-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words for what models take, as admins read and correct it. */
export const modelFactsDictionary = pageDictionary<ModelFactsTexts>({
  en: () => import('./model-facts-en.ts').then((file) => file.modelFactsEn),
  'zh-CN': () => import('./model-facts-zh-cn.ts').then((file) => file.modelFactsZhCn),
})
