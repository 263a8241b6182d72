import type { ModelsTexts } from './models-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words of the models page. */
export const modelsDictionary = pageDictionary<ModelsTexts>({
  en: () => import('./models-en.ts').then((file) => file.modelsEn),
  'zh-CN': () => import('./models-zh-cn.ts').then((file) => file.modelsZhCn),
})
