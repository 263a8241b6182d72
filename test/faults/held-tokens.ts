import type { Order } from './orders.ts'

/** What a model of the menu may write where a request says nothing. */
const MODEL_OUTPUT_TOKENS = 64_000

/** What the decision on holds says is held where there is as much, computed from it and nothing of the product. */
export function heldTokens({ body, form }: Order): { readonly input: number; readonly output: number } {
  const input = Math.ceil(body.length / 3)
  if (form.wire === 'openai-embeddings') return { input, output: 0 }
  const fields = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>
  const said = fields['max_tokens'] ?? fields['max_completion_tokens'] ?? fields['max_output_tokens']
  const limit = typeof said === 'number' ? said : MODEL_OUTPUT_TOKENS
  return { input, output: Math.min(limit, MODEL_OUTPUT_TOKENS) }
}
