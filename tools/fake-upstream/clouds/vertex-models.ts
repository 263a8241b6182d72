/** What the models of Vertex AI have in their conversations. */

/** Begins signatures that this cloud made, which Google's own API cannot read, nor this one that API's (LiteLLM issue 32140). */
export const SIGNED_HERE = 'VRTX'

/** Whether calls have ids: models before the third have none. */
export function hasIds(model: string): boolean {
  return !/^gemini-[12]\b/.test(model)
}
