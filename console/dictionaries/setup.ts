import { pageDictionary } from './page-dictionary.ts'
import type { SetupTexts } from './setup-en.ts'

/** The sentences of client setups and import links, by the codes of the API. */
export const setupDictionary = pageDictionary<SetupTexts>({
  en: () => import('./setup-en.ts').then((file) => file.setupEn),
  'zh-CN': () => import('./setup-zh-cn.ts').then((file) => file.setupZhCn),
})
