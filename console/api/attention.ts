import type { AttentionView } from '../../src/contract/attention.ts'
import { post, readKept } from './request.ts'

const RENEWED_MS = 30_000

/** What needs an admin. Renewed while it is looked at: what was healed is gone by itself. */
export const attentionQuery = readKept<AttentionView>(['attention'], '/api/attention', {
  staleTime: 5_000,
  refetchInterval: RENEWED_MS,
})

/** Puts items off for so many hours, for all staff; they are back by themselves. */
export const snoozeItems = ({
  items,
  ...snooze
}: {
  readonly items: readonly string[]
  readonly hours: number
  readonly reason: string
}) => inParts(items, (part) => post<unknown>('/api/attention/snooze', { items: part, ...snooze }))

/** Lists items again that were put off. */
export const wakeItems = (items: readonly string[]) =>
  inParts(items, (part) => post<unknown>('/api/attention/wake', { items: part }))

/** The most that the API takes at once. */
const MOST_ITEMS = 50

/** Many models may be one line of the list. */
async function inParts(items: readonly string[], send: (part: readonly string[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += MOST_ITEMS) await send(items.slice(at, at + MOST_ITEMS))
}
