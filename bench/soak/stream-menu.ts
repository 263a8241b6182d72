/** What a soak asks for: models whose streams would go on for long, and the points at which their clients leave. */
import type { Chance } from '../../test/faults/chance.ts'

export const SOAK_WIRES = ['openai-chat', 'openai-responses', 'anthropic-messages'] as const
export type SoakWire = (typeof SOAK_WIRES)[number]

/** Public names, and what the fake upstream has to do. `fake/fixed` costs it the least. */
export const SOAK_MODELS = {
  /** Four hundred seconds of small chunks. */
  long: 'fake/fixed?chunks=10000&delay_ms=40',
  /** Writes so much that what is held for it has to grow every few chunks. */
  wordy: 'fake/fixed?chunks=10000&delay_ms=40&text_bytes=1200',
  /** A long stream from a target that is slow enough for a second one to be asked as well. */
  hedged: 'fake/fixed?chunks=10000&delay_ms=40&first_delay_ms=60',
  /** Not even a head for ten minutes. */
  silent: 'fake/fixed?first_delay_ms=600000',
  /** A head, and nothing behind it for ten minutes. */
  hesitant: 'fake/fixed?first_delay_ms=600000&early_headers=1',
  /** A stream as fast as it is read, with more than sockets hold. */
  flood: 'fake/fixed?chunks=700&text_bytes=32768',
  /** Comes to its end. */
  brief: 'fake/fixed?chunks=4&delay_ms=5',
  /** Comes to its end in one packet. */
  burst: 'fake/fixed?chunks=4&burst=1',
} as const
/** The gateway asks a second target before the first chunk of `hedged`. */
export const HEDGE_AFTER_MS = 15
export type SoakModel = keyof typeof SOAK_MODELS

/** Models that cannot come to their end while a client of the soak waits. */
export const ENDLESS: readonly SoakModel[] = ['long', 'wordy', 'hedged', 'silent', 'hesitant', 'flood']

/** When a client breaks its connection off. */
export type Leave =
  | { readonly kind: 'in_body' }
  /** Counted from the moment the request was handed to the socket; 0: in the same instant. */
  | { readonly kind: 'after_ms'; readonly delayMs: number }
  /** 0: with the first byte of the answer. */
  | { readonly kind: 'after_events'; readonly events: number }
  /** Stops reading at the head, and leaves later. */
  | { readonly kind: 'unread'; readonly delayMs: number }
  | { readonly kind: 'at_text'; readonly text: string }

interface Point {
  /** Parts of a thousand. */
  readonly weight: number
  readonly models: readonly SoakModel[]
  leave(chance: Chance, wire: SoakWire): Leave
}

/** The last words that come before the gateway writes its books, and those that come after. */
const BEFORE_END = {
  'openai-chat': '"finish_reason":"stop"',
  'openai-responses': '"response.output_text.done"',
  'anthropic-messages': '"message_delta"',
} as const satisfies Record<SoakWire, string>
const AT_END = {
  'openai-chat': '[DONE]',
  'openai-responses': '"response.completed"',
  'anthropic-messages': '"message_stop"',
} as const satisfies Record<SoakWire, string>

const POINTS = {
  'in the request': { weight: 40, models: ['long'], leave: () => ({ kind: 'in_body' }) },
  'at once': { weight: 100, models: ['long', 'burst'], leave: () => ({ kind: 'after_ms', delayMs: 0 }) },
  'before the head': {
    weight: 160,
    models: ['silent', 'hesitant'],
    leave: (chance) => ({ kind: 'after_ms', delayMs: chance.between(1, 700) }),
  },
  'at the head': {
    weight: 150,
    models: ['long', 'wordy', 'hedged'],
    leave: () => ({ kind: 'after_events', events: 0 }),
  },
  'after some chunks': {
    weight: 345,
    models: ['long', 'long', 'wordy', 'hedged'],
    leave: (chance) => ({ kind: 'after_events', events: chance.between(1, 25) }),
  },
  'without reading': {
    weight: 5,
    models: ['flood'],
    leave: (chance) => ({ kind: 'unread', delayMs: chance.between(100, 500) }),
  },
  'just before the end': {
    weight: 100,
    models: ['brief', 'burst'],
    leave: (_chance, wire) => ({ kind: 'at_text', text: BEFORE_END[wire] }),
  },
  'at the end': {
    weight: 100,
    models: ['brief', 'burst'],
    leave: (_chance, wire) => ({ kind: 'at_text', text: AT_END[wire] }),
  },
} as const satisfies Record<string, Point>
export type PointName = keyof typeof POINTS
export const POINT_NAMES = Object.keys(POINTS) as readonly PointName[]

/** One stream as it will be opened and left. */
export interface StreamOrder {
  /** The first is 0. */
  readonly number: number
  readonly wire: SoakWire
  readonly model: SoakModel
  readonly secret: string
  readonly point: PointName
  readonly leave: Leave
  /** The client sends RST where others close their side. */
  readonly isReset: boolean
}

export function nextOrder(chance: Chance, about: { number: number; secrets: readonly string[] }): StreamOrder {
  const wire = chance.pick(SOAK_WIRES)
  const point = pickPoint(chance)
  const { models, leave }: Point = POINTS[point]
  return {
    number: about.number,
    wire,
    model: chance.pick(models),
    secret: chance.pick(about.secrets),
    point,
    leave: leave(chance, wire),
    isReset: chance.isHit(50),
  }
}

function pickPoint(chance: Chance): PointName {
  let left = chance.between(0, 999)
  for (const name of POINT_NAMES) {
    left -= POINTS[name].weight
    if (left < 0) return name
  }
  throw new Error('the weights of the points do not make a thousand')
}

/** Stands in the usage record as the client's name, by which a stream is found there. */
export function tagOf(label: string, number: number): string {
  return `soak-${label}-${number}`
}
