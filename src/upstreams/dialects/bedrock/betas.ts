/**
 * The features in beta that Bedrock's invocations know. Any other refuses the whole request as "invalid beta flag", and clients send
 * such ones in passing (QuantumNous/new-api #3041, BerriAI/litellm #16561 and #19877), so all others stay behind (decision 0165).
 *
 * AWS lists them under the request of the Messages API; those from 2026 are as LiteLLM's table of them has it (commit 030dd40a).
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html
 */
const KNOWN: ReadonlySet<string> = new Set([
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'token-efficient-tools-2025-02-19',
  'output-128k-2025-02-19',
  'interleaved-thinking-2025-05-14',
  'dev-full-thinking-2025-05-14',
  'fine-grained-tool-streaming-2025-05-14',
  'context-management-2025-06-27',
  'context-1m-2025-08-07',
  'tool-search-tool-2025-10-19',
  'tool-examples-2025-10-29',
  'effort-2025-11-24',
  'compact-2026-01-12',
  'mid-conversation-output-config-2026-07-01',
  'mid-conversation-tool-changes-2026-07-01',
  'thinking-binding-controls-2026-08-01',
  'thinking-display-updates-2026-08-18',
  'dangerous-tool-use-2026-09-03',
])

/**
 * The features that requests to one upstream ask for. Which of those that Bedrock knows a model takes is nowhere listed, and one that
 * it does not take refuses the whole request without being named (anthropics/claude-code #49370, BerriAI/litellm #41203): what a
 * model has refused it is not asked for again.
 */
export class Betas {
  readonly #refused = new Set<string>()

  /** The features that a header asks for, Bedrock knows and this model has not refused, each once; null: none. */
  of(model: string, header: string | undefined): readonly string[] | null {
    const known = knownIn(header)
    return known.length === 0 || this.#refused.has(markOf(model, known)) ? null : known
  }

  /** Notes that a model has refused what this header asks for; false: it asks for nothing that is sent. */
  refuse(model: string, header: string | undefined): boolean {
    const known = knownIn(header)
    if (known.length === 0) return false
    if (this.#refused.size >= MOST_REFUSED) this.#refused.clear()
    this.#refused.add(markOf(model, known))
    return true
  }
}

/** Whether a refusal is one of features in beta, by what its message begins with: further on may stand the client's own words. */
export function refusesBetas(message: unknown): boolean {
  return typeof message === 'string' && REFUSED.test(message)
}

const REFUSED = /^(?:The model returned the following errors: )?invalid beta flag\b/
/** Models and lists of features that are remembered of one upstream. */
const MOST_REFUSED = 200

function knownIn(header: string | undefined): readonly string[] {
  const asked = new Set((header ?? '').split(',').map((name) => name.trim()))
  return [...asked].filter((name) => KNOWN.has(name))
}

function markOf(model: string, known: readonly string[]): string {
  return `${model} ${known.toSorted().join()}`
}
