/** What the wire formats are called in short, on groups and models. They are names, the same in every language. */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  'openai-chat': 'Chat',
  'openai-responses': 'Responses',
  'openai-embeddings': 'Embeddings',
  'anthropic-messages': 'Messages',
}

export function wireNames(protocols: readonly string[]): string {
  return protocols.map((protocol) => WIRE_NAMES[protocol] ?? protocol).join(', ')
}
