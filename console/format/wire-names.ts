/**
 * What a wire format is called in short, on groups and models: the last word of its id (`openai-chat` is Chat). They are
 * names, the same in every language, and a new wire has one without being listed here.
 */
export function wireName(wire: string): string {
  return capitalised(wire.slice(wire.lastIndexOf('-') + 1))
}

/** What a wire format is called in full: `openai-chat` is OpenAI Chat. */
export function wireTitle(wire: string): string {
  return wire.split('-').map(capitalised).join(' ').replace('Openai', 'OpenAI')
}

/** What chat clients and agents use. */
export const CHAT_WIRES: readonly string[] = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini']

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
