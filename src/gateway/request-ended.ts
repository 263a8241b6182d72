import type { RequestTrace } from './request/trace.ts'
import type { GatewayParts } from './parts.ts'
import type { CountedRequest } from './request-figures.ts'
import type { ObservedEnding } from './request-observer.ts'

/**
 * A request that generates is over: it is counted, and its observer is called. `endedAt`: a reading of `Clock.elapsed`.
 * `countedAs`: where no model was chosen for it.
 */
export function requestEnded(
  { figures }: Pick<GatewayParts, 'figures'>,
  trace: RequestTrace,
  { ending, endedAt, countedAs }: { ending: ObservedEnding; endedAt: number; countedAs?: CountedRequest['chosen'] },
): void {
  figures.ended(countedAs === undefined ? trace : { ...trace, chosen: countedAs }, ending, endedAt)
  trace.observed?.ended(trace, ending, endedAt)
}
