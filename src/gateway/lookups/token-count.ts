import { plainFault } from '../../core/plain-fault.ts'
import type { WireFamily } from '../../core/wire.ts'
import type { ClientAnswer } from '../answer/client-answer.ts'
import type { GatewayParts } from '../parts.ts'
import type { PreparedRequest } from '../request/prepared.ts'

/**
 * Returns how many tokens a request has, for models whose upstream cannot count: counted by the gateway's own tokenizer, and
 * marked as an estimate in the header `x-tollgate-usage-source`.
 */
export async function answerCount(
  family: WireFamily,
  { parts, prepared, answer }: { parts: GatewayParts; prepared: PreparedRequest; answer: ClientAnswer },
): Promise<void> {
  try {
    const { body, caller, head } = prepared
    const about = { keyId: caller.key.id, estimate: head.estimatedInputTokens }
    const tokens = await parts.tokenCounter.countForFree(body, about)
    answer.estimated()
    answer.json(200, COUNTS[family](tokens))
  } catch (cause) {
    answer.fault(plainFault('internal', { cause }))
  }
}

const COUNTS: Record<WireFamily, (tokens: number) => object> = {
  openai: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  anthropic: (tokens) => ({ input_tokens: tokens }),
  gemini: (tokens) => ({ totalTokens: tokens }),
}
