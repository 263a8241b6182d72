import type { HostedTool } from '../core/calls.ts'
import type { Range } from './json/json-bytes.ts'

/** What a request adds to the input of its model that its bytes do not bound. */
export interface OutsideInput {
  /** Whether it names what the provider reads in: earlier answers, files, stores, cached content, pictures by their URL. */
  readonly refers: boolean
  /** The upstream may call the model again and again, and reports the sum of its input: it runs tools, or compacts. */
  readonly loops: boolean
  /** Whether it holds pictures, documents or sound, which cost by what they show and not by their bytes. */
  readonly media: boolean
  /** Whether something that it refers to is kept by a provider for all accounts together: `stored-ids.ts` says what. */
  readonly kept: boolean
  /** Where that is named, as far as it is by ids: one more than STORED_IDS_LIMIT at most. Left out: nowhere. */
  readonly named?: readonly NamedPlace[]
  /** The provider's own tools that it asks for, as far as some provider charges for calls of them; absent: none. */
  readonly tools?: ReadonlySet<HostedTool> | undefined
}

/** A form's: pictures or sound in its files, and nothing that is named. */
export const MEDIA_ALONE: OutsideInput = { refers: false, loops: false, media: true, kept: false }

/** Something in a body that a provider keeps. */
export interface NamedPlace {
  /** `answer`: an earlier answer. `item`: an item of one. `other`: a file, a conversation, a store. */
  readonly kind: 'answer' | 'item' | 'other'
  /** Where its field's name stands, with its quotes. */
  readonly name: Range
  /** The offset of its value; -1: it has none. */
  readonly at: number
}
