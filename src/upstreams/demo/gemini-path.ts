/** A call of the Gemini API: its path names the model, and behind a colon what is wanted of it. */
export interface GeminiCall {
  readonly model: string
  readonly method: string
}

/** `path` without its query, under a version of the API or none; null for any other path. */
export function readGeminiPath(path: string): GeminiCall | null {
  const [, model, method = ''] = /^(?:\/v1(?:beta|alpha)?)?\/models\/(.+):(\w+)$/.exec(path) ?? []
  return model === undefined ? null : { model: decoded(model), method }
}

/** A part of a path; as it is where it cannot be decoded. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
