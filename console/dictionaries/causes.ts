import type { Explain } from '../../src/causes/explanation.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The sentences that are written from the facts of a fault. */
export interface CauseTexts {
  readonly explain: Explain
}

export const causesDictionary = pageDictionary<CauseTexts>({
  en: () => import('../../src/causes/english.ts').then(({ explainEnglish: explain }) => ({ explain })),
  'zh-CN': () => import('../../src/causes/chinese.ts').then(({ explainChinese: explain }) => ({ explain })),
})
