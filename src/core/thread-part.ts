/**
 * What each of so many threads of a process may have of a limit, so that together they stay within it: an equal part, rounded
 * down, and at least one. Only where there are more threads than the limit counts do they have one each.
 */
export function threadPart(limit: number, threads: number): number {
  return threads === 1 ? limit : Math.max(1, Math.floor(limit / threads))
}
