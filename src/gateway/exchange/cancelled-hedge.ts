import { type PartsPerMillion, ZERO_NANO_USD } from '../../core/money.ts'
import { NO_TOKENS, totalInput } from '../../core/tokens.ts'
import type { UsedSoFar } from '../../metering/usage/final-usage.ts'
import type { Attempt } from './attempt.ts'
import type { ExchangeContext } from './context.ts'
import { withCost } from './request-cost.ts'
import { type Ending, recordOf } from '../request/record.ts'

/** Who stands in the record of what no account pays. Neither is stored. */
const BOOKED_TO = { key: { id: 'key_hedge', name: 'hedge' }, account: { id: 'acc_hedge' } } as const
const NOT_SOLD = 0n as PartsPerMillion

/**
 * Books what an attempt may have cost whose answer was not wanted any more: its input, where a connection had taken it, in a
 * record of its own that no account pays. It counts towards the caps of its target. `ending`: of the request, which says how
 * long the input was; null: that is not known, and the estimate by which money was held is taken.
 */
export function recordCancelledHedge(context: ExchangeContext, attempt: Attempt, ending: Ending | null): void {
  if (!attempt.isSent || attempt.isRefused) return
  const { parts, prepared } = context
  const counted = withCost({ outcome: 'aborted', fault: null, httpStatus: null }, usedBy(context, ending), {
    request: prepared,
    counter: parts.tokenCounter,
    heldInputTokens: parts.heldInputTokens,
    providerCost: attempt.candidate.target.cost,
  })
  if (!(counted instanceof Promise)) return book(context, attempt, counted)
  counted.then(
    (known) => book(context, attempt, known),
    (error: unknown) => parts.log.failure('internal', { requestId: context.trace.id, error }),
  )
}

/** What is billed of a request that is cancelled before its answer: what was to be read. */
function usedBy({ prepared: { head } }: ExchangeContext, ending: Ending | null): UsedSoFar {
  const seen = ending === null ? null : totalInput(ending.tokens)
  return {
    reported: { ...NO_TOKENS, input: seen || head.estimatedInputTokens, output: head.hasNoOutput ? null : 0 },
    isFinal: true,
    hasCalledTools: false,
    producedText: () => '',
  }
}

function book({ trace, prepared, parts }: ExchangeContext, attempt: Attempt, counted: Ending): void {
  const { candidate, beganAt, credentialName } = attempt
  const endedAt = attempt.endedAt ?? parts.clock.elapsed()
  candidate.used(totalInput(counted.tokens) ?? 0, counted.providerCost ?? counted.cost)
  const ending: Ending = {
    ...counted,
    usageSource: 'estimated',
    isCapped: false,
    usageNotes: ['hedged_away'],
    cost: ZERO_NANO_USD,
  }
  const { chosen } = prepared
  const createdAt = trace.createdAt + Math.round(beganAt - trace.startedAt)
  const noted = {
    ...trace,
    id: parts.newRequestId(createdAt),
    createdAt,
    startedAt: beganAt,
    client: `tollgate-hedge (${trace.id})`,
    chosen: { ...chosen, group: { ...chosen.group, multiplier: NOT_SOLD } },
    attempts: attempt.cancelledRecord === null ? [] : [{ ...attempt.cancelledRecord, atMs: 0 }],
    credentialName,
    routing: null,
    firstByteAt: null,
    limits: null,
  }
  const record = recordOf(noted, BOOKED_TO, { ending, endedAt })
  parts.settleQueue.push(
    { record, charges: [] },
    { durable: () => parts.figures.used(ending), callback: null, instead: null },
  )
}
