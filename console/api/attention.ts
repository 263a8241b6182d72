import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AttentionView } from '../../src/contract/attention.ts'
import { post, read } from './request.ts'

const RENEWED_MS = 30_000

/** What needs an admin. Renewed while it is looked at: what was healed is gone by itself. */
export const attentionQuery = queryOptions({
  ...read<AttentionView>(['attention'], '/api/attention'),
  placeholderData: keepPreviousData,
  staleTime: 5_000,
  refetchInterval: RENEWED_MS,
})

/** Puts items off for so many hours, for all staff; they are back by themselves. */
export function snoozeItems(snooze: {
  readonly items: readonly string[]
  readonly hours: number
  readonly reason: string
}): Promise<unknown> {
  return post('/api/attention/snooze', snooze)
}

/** Lists items again that were put off. */
export function wakeItems(items: readonly string[]): Promise<unknown> {
  return post('/api/attention/wake', { items })
}
