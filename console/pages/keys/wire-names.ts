/** What the wire formats are called in short, on groups and models. They are names, the same in every language. */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  'openai-chat': 'Chat',
  'openai-responses': 'Responses',
  'openai-embeddings': 'Embeddings',
  'openai-completions': 'Completions',
  'openai-moderations': 'Moderations',
  'openai-images': 'Images',
  'openai-speech': 'Speech',
  'openai-transcriptions': 'Transcriptions',
  rerank: 'Rerank',
  'anthropic-messages': 'Messages',
  gemini: 'Gemini',
}

export function wireNames(protocols: readonly string[]): string {
  return protocols.map((protocol) => WIRE_NAMES[protocol] ?? protocol).join(', ')
}
