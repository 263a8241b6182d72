/** What the gateway counted of its features while it was soaked: a soak of what was never used would prove nothing of it. */
import type { GatewayProcess } from '../../test/support/gateway-process.ts'

export interface FeaturesUsed {
  /** Requests that were sent to a second target as well. */
  readonly hedges: number
  /** Attempts that a rule in shadow would have kept away. */
  readonly shadowRefusals: number
  /** Answers that were given again. */
  readonly cacheHits: number
  /** Requests that the next group of their key answered. */
  readonly wentOn: number
}

/** Reads the counts of all threads of the gateway, since it started. */
export async function readFeaturesUsed({ origin }: GatewayProcess): Promise<FeaturesUsed> {
  const answer = await fetch(`${origin}/metrics`, { headers: { connection: 'close' } })
  const lines = (await answer.text()).split('\n')
  return {
    hedges: sumOf(lines, /^tollgate_hedges_total\{.*outcome="(?:won|lost)"/),
    shadowRefusals: sumOf(lines, /^tollgate_shadow_refusals_total\{/),
    cacheHits: sumOf(lines, /^tollgate_response_cache_requests_total\{.*result="hit"/),
    wentOn: sumOf(lines, /^tollgate_requests_total\{(?=.*group="behind").*outcome="(?:completed|aborted)"/),
  }
}

function sumOf(lines: readonly string[], like: RegExp): number {
  return lines.filter((line) => like.test(line)).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
