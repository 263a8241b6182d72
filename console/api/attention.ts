import type { AttentionView } from '../../src/contract/attention.ts'
import { post, readKept } from './request.ts'

const RENEWED_MS = 30_000

/** What needs an admin. Renewed while it is looked at: what was healed is gone by itself. */
export const attentionQuery = readKept<AttentionView>(['attention'], '/api/attention', {
  staleTime: 5_000,
  refetchInterval: RENEWED_MS,
})

/** Puts items off for so many hours, for all staff; they are back by themselves. */
export const snoozeItems = (snooze: {
  readonly items: readonly string[]
  readonly hours: number
  readonly reason: string
}) => post<unknown>('/api/attention/snooze', snooze)

/** Lists items again that were put off. */
export const wakeItems = (items: readonly string[]) => post<unknown>('/api/attention/wake', { items })
