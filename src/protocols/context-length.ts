import { type HubWire, familyOf, type WireFamily } from '../core/wire.ts'
import type { UpstreamError } from './protocol.ts'

/** What a provider says of a prompt that is too long, in tokens. */
interface TooLong {
  /** What was sent, with the output that was asked for where the provider counts it in; null: not said. */
  readonly tokens: number | null
  readonly limit: number | null
}

/**
 * An upstream's error in the words that the client's own provider has for it: clients shorten a conversation when they read
 * those. Only for prompts that are too long; every other error stays as it is.
 */
export function inClientsWords(error: UpstreamError, wire: HubWire): UpstreamError {
  const tooLong = tooLongFor(error)
  if (tooLong === null) return error
  return { ...error, ...WORDS[familyOf(wire)](tooLong) }
}

/** What each provider says of it. The code is OpenAI's alone. */
const WORDS: Record<WireFamily, (tooLong: TooLong) => { readonly message: string; readonly code?: string }> = {
  openai: ({ tokens, limit }) => {
    const most = limit === null ? '' : ` This model's maximum context length is ${limit} tokens.`
    const sent = tokens === null ? '' : ` The request has ${tokens} tokens.`
    const message = `Your input exceeds the context window of this model.${most}${sent}`
    return { message, code: CONTEXT_LENGTH_CODE }
  },
  anthropic: ({ tokens, limit }) => {
    const numbers = tokens === null || limit === null ? '' : `: ${tokens} tokens > ${limit} maximum`
    return { message: `prompt is too long${numbers}` }
  },
  gemini: ({ tokens, limit }) => {
    const sent = tokens === null ? '' : ` (${tokens})`
    const most = limit === null ? '' : ` (${limit})`
    return { message: `The input token count${sent} exceeds the maximum number of tokens allowed${most}.` }
  },
}

/** OpenAI's own `code` for it. */
const CONTEXT_LENGTH_CODE = 'context_length_exceeded'

/** The words of providers; `sent` and `limit` are tokens. Anthropic's second form counts the output in. */
const WORDINGS: readonly RegExp[] = [
  /prompt is too long: (?<sent>\d+) tokens > (?<limit>\d+) maximum/i,
  /exceed context limit: (?<sent>\d+) \+ (?<output>\d+) > (?<limit>\d+)/i,
  /maximum context length is (?<limit>\d+) tokens[^]{0,200}?(?:resulted in|requested|has) (?<sent>\d+)/i,
  /maximum context length is (?<limit>\d+) tokens/i,
  /input token count \(?(?<sent>\d+)\)? exceeds the maximum number of tokens allowed \(?(?<limit>\d+)\)?/i,
  /prompt is too long|exceeds the context window|input token count exceeds/i,
]

function tooLongFor({ message, code }: UpstreamError): TooLong | null {
  for (const wording of WORDINGS) {
    const found = message === null ? null : wording.exec(message)
    if (found === null) continue
    const { sent, output, limit } = found.groups ?? {}
    const tokens = sent === undefined ? null : Number(sent) + Number(output ?? 0)
    return { tokens, limit: limit === undefined ? null : Number(limit) }
  }
  return code === CONTEXT_LENGTH_CODE ? { tokens: null, limit: null } : null
}
