import type { UpstreamTrialView } from '../../../../src/contract/upstreams.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { listResult } from './list-result.ts'

/** What came of one real request, in the reader's language; what is said of a fault that has no words here is the API's. */
export function useTrialSaid(): (trial: UpstreamTrialView) => string {
  const t = useTexts('upstreams')
  const shared = useSharedTexts()
  const faults = useTexts('faults')
  return ({ result, status, said, fault, detail }) => {
    if (result !== 'answered' && result !== 'fault') return listResult({ result, status, said }, t, shared)
    return Object.entries(faults).find(([code]) => code === fault)?.[1].title ?? detail
  }
}
