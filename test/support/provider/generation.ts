/** What the provider produces for one call, before it is written in the words of a protocol. */
import { listOf, stringOf } from '../../../src/upstreams/demo/json.ts'
import { type Asked, type Input, inputOf, type Orders, ordersIn } from './asked.ts'
import { textsOf } from './outside.ts'
import { textTokens } from './text-tokens.ts'

export interface Generation {
  readonly asked: Asked
  readonly orders: Orders
  readonly input: Input
  /** Tokens of thinking that no answer shows, of each choice. */
  readonly hidden: number
  /** Words of each choice, a token each. */
  readonly visible: number
  /** Whether the limit ended it. */
  readonly isCut: boolean
  /** Tokens of output beside the text of the answer, which no limit bounds, of all choices. */
  readonly extra: { readonly kind: 'audio' | 'image' | 'prediction'; readonly tokens: number } | null
}

/** Tokens of a picture that Google's models draw, by their documentation of image generation. */
const TOKENS_OF_A_DRAWING = 1_290
/** Spoken words have more tokens than written ones. */
const SPOKEN = 10

/** A word that every tokenizer counts as one token. */
const WORD = 'the '

/** Thinking comes first and counts against the limit, as all providers have it; a model named `unbounded` knows no limit. */
export function generate(asked: Asked): Generation {
  const texts = textsOf(asked.body)
  const orders = ordersIn(asked.model, texts)
  const isBounded = asked.outputLimit !== null && asked.outputLimit > 0 && !asked.model.includes('unbounded')
  const limit = isBounded ? (asked.outputLimit ?? 0) : Infinity
  const hidden = Math.min(orders.think, limit)
  const visible = asked.wire === 'embeddings' ? 0 : Math.min(orders.write, limit - hidden)
  return {
    asked,
    orders,
    input: inputOf(asked, orders, texts),
    hidden,
    visible,
    isCut: visible < orders.write,
    extra: extraOf(asked, visible),
  }
}

/** All tokens of output that it is billed for when it comes to its end. */
export function outputOf({ asked, hidden, visible, extra }: Generation): number {
  return asked.choices * (hidden + visible) + (extra?.tokens ?? 0)
}

export function wordsOf(count: number): string {
  return WORD.repeat(count)
}

function extraOf({ body, choices }: Asked, visible: number): Generation['extra'] {
  const config = (body['generationConfig'] ?? body['generation_config'] ?? {}) as Readonly<Record<string, unknown>>
  const wanted = [body['modalities'], config['responseModalities'], config['response_modalities']].flatMap(listOf)
  const modalities = wanted.map((one) => stringOf(one).toLowerCase())
  if (modalities.includes('audio')) return { kind: 'audio', tokens: visible * choices * SPOKEN }
  if (modalities.includes('image')) return { kind: 'image', tokens: TOKENS_OF_A_DRAWING * choices }
  const predicted = textsOf(body['prediction'] ?? null).reduce((sum, text) => sum + textTokens(text), 0)
  return predicted === 0 ? null : { kind: 'prediction', tokens: predicted }
}
