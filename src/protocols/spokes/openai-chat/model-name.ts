/**
 * What the name of an upstream's model says about the fields it takes. The wire is spoken by hundreds of providers that differ
 * in them, and nothing else in a request says who is asked.
 *
 * `openai-reasoning`: OpenAI's o-series and GPT-5 and later. `openai-plain`: OpenAI's models that don't reason.
 * `thinking-switch`: DeepSeek, Kimi, GLM and others with `thinking: {type}`. `other`: nothing is known.
 */
export type ModelFamily = 'openai-reasoning' | 'openai-plain' | 'thinking-switch' | 'qwen' | 'gemini' | 'other'

export function modelFamily(model: string): ModelFamily {
  const name = model.toLowerCase()
  return FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ?? 'other'
}

/** A name may begin with its vendor's (`openai/gpt-5`). `gpt-35` is GPT-3.5 at Azure; `gpt-oss` is served by many. */
const FAMILIES: readonly (readonly [RegExp, ModelFamily])[] = [
  [/(^|[/:])(chatgpt-4o|gpt-[34])/, 'openai-plain'],
  [/(^|[/:])(o\d|gpt-\d+)(?![a-z0-9])/, 'openai-reasoning'],
  [/deepseek|kimi|glm-|doubao|mimo/, 'thinking-switch'],
  [/qwen|qwq/, 'qwen'],
  [/gemini/, 'gemini'],
]
