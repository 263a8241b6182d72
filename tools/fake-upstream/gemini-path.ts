/** Reads what a path of the Gemini API names: the model, and what is wanted of it. */

export interface GeminiCall {
  readonly model: string
  readonly method: 'generateContent' | 'streamGenerateContent' | 'countTokens'
  /** Whether it costs anything. */
  readonly isBilled: boolean
}

const METHODS = ['generateContent', 'streamGenerateContent', 'countTokens'] as const

/** `path` without its query; under `/v1`, `/v1beta` or `/v1alpha`. Null for any other path. */
export function readGeminiPath(path: string): GeminiCall | null {
  const rest = path.replace(/^\/v1(?:beta|alpha)\//, '/')
  if (!rest.startsWith('/models/')) return null
  const colon = rest.lastIndexOf(':')
  const method = METHODS.find((one) => one === rest.slice(colon + 1))
  if (method === undefined) return null
  const name = rest.slice('/models/'.length, colon)
  return { model: decoded(name), method, isBilled: method !== 'countTokens' }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
