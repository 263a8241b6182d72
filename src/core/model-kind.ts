/** What a model does. Only `chat` answers conversations; `other` is none of these, such as a reader of documents. */
export const MODEL_KINDS = [
  'chat',
  'completion',
  'embedding',
  'rerank',
  'image',
  'video',
  'audio',
  'moderation',
  'other',
] as const

export type ModelKind = (typeof MODEL_KINDS)[number]

/** The evidence for a model's kind, the surest first; `default`: nothing speaks against a chat model. */
export const KIND_EVIDENCE = ['set', 'endpoints', 'price', 'name', 'default'] as const

export type KindEvidence = (typeof KIND_EVIDENCE)[number]
