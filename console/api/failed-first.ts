import type { Overview } from '../../src/contract/overview.ts'

type RecentRequest = Overview['requests'][number]

/** What its client broke off did not fail. */
export function hasFailed({ outcome, fault }: RecentRequest): boolean {
  return outcome !== 'aborted' && (outcome !== 'completed' || fault !== null)
}

/** Failed requests, then the others; each in the order given, the newest first. */
export function failedFirst(requests: readonly RecentRequest[]): readonly RecentRequest[] {
  return [...requests.filter(hasFailed), ...requests.filter((each) => !hasFailed(each))]
}
