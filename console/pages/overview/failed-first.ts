import type { Overview } from '../../../src/contract/overview.ts'

type Step = Overview['requests'][number]

/** Those that failed, then the others; each as they came, the newest first. What its client broke off did not fail. */
export function failedFirst(requests: readonly Step[]): readonly Step[] {
  const hasFailed = ({ outcome, fault }: Step): boolean =>
    outcome !== 'aborted' && (outcome !== 'completed' || fault !== null)
  return [...requests.filter(hasFailed), ...requests.filter((each) => !hasFailed(each))]
}
