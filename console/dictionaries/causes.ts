import { type ConnectionFailure, explainFailure } from '../../src/causes/connection-failures.ts'
import type { Explain, Explanation } from '../../src/causes/explanation.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The sentences that are written from the facts of a fault, and those of requests that nothing answered. */
export interface CauseTexts {
  readonly explain: Explain
  failure(failure: ConnectionFailure): Explanation
}

export const causesDictionary = pageDictionary<CauseTexts>({
  en: () =>
    import('../../src/causes/english.ts').then(({ explainEnglish: explain }) => ({
      explain,
      failure: (failure) => explainFailure(failure, 'en'),
    })),
  'zh-CN': () =>
    import('../../src/causes/chinese.ts').then(({ explainChinese: explain }) => ({
      explain,
      failure: (failure) => explainFailure(failure, 'zh'),
    })),
})
