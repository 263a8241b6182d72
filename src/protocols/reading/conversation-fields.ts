/** What names a conversation, on any chat wire: the cache key of OpenAI's APIs, Claude Code's session, a stored conversation. */
export const CONVERSATION_NAMES = ['prompt_cache_key', 'metadata', 'conversation'] as const
/** How a conversation begins: its later requests begin alike. */
export const CONVERSATION_BEGINNINGS = [
  'system',
  'instructions',
  'systemInstruction',
  'system_instruction',
  'tools',
] as const
/** Lists that grow with it; as far as the first message of its user they stay as they are. */
export const CONVERSATION_LISTS = ['messages', 'input', 'contents'] as const

export const CONVERSATION_FIELDS: ReadonlySet<string> = new Set([
  ...CONVERSATION_NAMES,
  ...CONVERSATION_BEGINNINGS,
  ...CONVERSATION_LISTS,
])

/** What a request's walk notes: the same, and what else is looked at later (`chat-refusal.ts`, `output-limit.ts`, `offered-tools.ts`). */
export const NOTED_FIELDS: ReadonlySet<string> = new Set([
  ...CONVERSATION_FIELDS,
  'reasoning_effort',
  'thinking',
  'tool_choice',
])
