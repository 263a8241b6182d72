import type { ModelFacts } from '../../models/facts.ts'
import { JsonFlaw, scanObject } from './json-scan.ts'

const WANTED = new Set(['tools', 'reasoning_effort'])
const OPEN_BRACKET = 0x5b
const NONE = '"none"'

/**
 * Whether a model with these facts refuses a request for a chat completion for its tools, which it takes by responses: OpenAI's
 * from GPT-5.4 on beside reasoning, some always. The body must have passed the reading of requests.
 */
export function isRefusedAtChat(
  { chat_tools: tools, reasons_unasked: reasonsUnasked }: ModelFacts,
  body: Buffer,
): boolean {
  if (tools === 'taken') return false
  const fields = fieldsOf(body)
  const [listed, effort] = [fields?.get('tools'), fields?.get('reasoning_effort')]
  if (listed === undefined || body[listed.start] !== OPEN_BRACKET) return false
  if (tools === 'refused') return true
  const said = effort === undefined ? 'null' : body.toString('latin1', effort.start, effort.end)
  return said === 'null' ? reasonsUnasked : said !== NONE
}

function fieldsOf(body: Buffer) {
  try {
    return scanObject(body, { wanted: WANTED }).fields
  } catch (flaw) {
    if (flaw instanceof JsonFlaw) return null
    throw flaw
  }
}
