import { explainAnswered } from '../../src/causes/answerer-texts.ts'
import type { Answered } from '../../src/causes/answerers.ts'
import { type ConnectionFailure, explainFailure } from '../../src/causes/connection-failures.ts'
import type { Explain, Explanation } from '../../src/causes/explanation.ts'
import { explainStatus } from '../../src/causes/status-texts.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The sentences that are written from the facts of a fault, and those of requests that this gateway did not answer. */
export interface CauseTexts {
  readonly explain: Explain
  failure(failure: ConnectionFailure): Explanation
  answered(answered: Answered, status: number | null): Explanation
  status(status: number): Explanation
}

export const causesDictionary = pageDictionary<CauseTexts>({
  en: () =>
    import('../../src/causes/english.ts').then(({ explainEnglish: explain }) => ({
      explain,
      failure: (failure) => explainFailure(failure, 'en'),
      answered: (answered, status) => explainAnswered(answered, status, 'en'),
      status: (status) => explainStatus(status, 'en'),
    })),
  'zh-CN': () =>
    import('../../src/causes/chinese.ts').then(({ explainChinese: explain }) => ({
      explain,
      failure: (failure) => explainFailure(failure, 'zh'),
      answered: (answered, status) => explainAnswered(answered, status, 'zh'),
      status: (status) => explainStatus(status, 'zh'),
    })),
})
