import type { Overview } from '../../src/contract/overview.ts'

type Step = Overview['requests'][number]

/** What its client broke off did not fail. */
export function hasFailed({ outcome, fault }: Step): boolean {
  return outcome !== 'aborted' && (outcome !== 'completed' || fault !== null)
}

/** Those that failed, then the others; each as they came, the newest first. */
export function failedFirst(requests: readonly Step[]): readonly Step[] {
  return [...requests.filter(hasFailed), ...requests.filter((each) => !hasFailed(each))]
}
