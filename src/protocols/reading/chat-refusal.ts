import type { ModelFacts } from '../../models/facts.ts'
import type { RequestHead } from '../protocol.ts'

const OPEN_BRACKET = 0x5b
const NONE = '"none"'
const SHORT = 16

/**
 * Whether a model with these facts refuses a request for a chat completion for its tools, which it takes by responses: OpenAI's
 * from GPT-5.4 on beside reasoning, some always.
 */
export function isRefusedAtChat(
  { chat_tools: tools, reasons_unasked: reasonsUnasked }: ModelFacts,
  body: Buffer,
  { conversation: fields }: RequestHead,
): boolean {
  if (tools === 'taken') return false
  const [listed, effort] = [fields?.get('tools'), fields?.get('reasoning_effort')]
  if (listed === undefined || body[listed.start] !== OPEN_BRACKET) return false
  if (tools === 'refused') return true
  const said =
    effort === undefined ? 'null' : body.toString('latin1', effort.start, Math.min(effort.end, effort.start + SHORT))
  return said === 'null' ? reasonsUnasked : said !== NONE
}
