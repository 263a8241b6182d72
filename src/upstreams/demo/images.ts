import { type JsonFields, stringOf } from './json.ts'
import { readWholeNumber } from './question.ts'
import { Refusal } from './refusal.ts'
import { countTokens } from './tokens.ts'
import { type WireAnswer, type WireCall, jsonAnswer, namedEvent, streamAnswer, usedTokens } from './wire-answer.ts'

/** `POST /images/generations`: one grey pixel, as often as was asked for. */
export function answerImages(call: WireCall): WireAnswer {
  return answerAs(call, 'image_generation')
}

/** `POST /images/edits`: the same pixel, whatever was sent. */
export function answerImageEdits(call: WireCall): WireAnswer {
  return answerAs(call, 'image_edit')
}

/** A PNG of one pixel by one, in base64. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=='
const TOKENS_OF_PIXEL = 16
const IMAGES_LIMIT = 10

function answerAs(call: WireCall, kind: 'image_generation' | 'image_edit'): WireAnswer {
  const { body } = call
  const prompt = stringOf(body['prompt'])
  if (prompt === '') throw new Refusal('prompt is missing: it takes a text.', { param: 'prompt' })
  const count = readWholeNumber(Number(body['n'] ?? 1), 'n', { usual: 1, most: IMAGES_LIMIT })
  const isStream = body['stream'] === true || body['stream'] === 'true'
  if (isStream) return streamAnswer(events(call, { kind, prompt, count }))
  const image = body['response_format'] === 'url' ? { url: `data:image/png;base64,${PIXEL}` } : { b64_json: PIXEL }
  const data = Array.from({ length: count }, () => image)
  return jsonAnswer({ created: call.nowSeconds(), data, usage: usage(prompt, count) })
}

function* events(
  call: WireCall,
  asked: { readonly kind: string; readonly prompt: string; readonly count: number },
): Generator<string> {
  const { kind, prompt, count } = asked
  const image = { b64_json: PIXEL, created_at: call.nowSeconds(), size: '1x1', output_format: 'png' }
  const partial = Math.min(3, Math.max(0, Number(call.body['partial_images'] ?? 0) || 0))
  for (let index = 0; index < partial; index++) {
    yield namedEvent({ type: `${kind}.partial_image`, ...image, partial_image_index: index })
  }
  for (let number = 1; number <= count; number++) {
    yield namedEvent({ type: `${kind}.completed`, ...image, usage: usage(prompt, number) })
  }
}

function usage(prompt: string, images: number): JsonFields {
  const input = countTokens(prompt)
  const details = { input_tokens_details: { text_tokens: input, image_tokens: 0 } }
  return { ...usedTokens(input, images * TOKENS_OF_PIXEL), ...details }
}
