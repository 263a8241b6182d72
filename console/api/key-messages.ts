import { queryOptions } from '@tanstack/react-query'
import type { KeyMessageAsked, KeyMessagePriceView, KeyMessageView } from '../../src/contract/key-messages.ts'
import { post, read } from './request.ts'

/** What a test message with this key would cost. */
export const keyMessagePriceQuery = (id: string, asked: KeyMessageAsked) =>
  queryOptions({
    ...read<KeyMessagePriceView>(['keys', 'message', id, asked], pathOf(id), { ...asked }),
    staleTime: 60_000,
    retry: false,
  })

/** Sends one: it is charged like any request. */
export function sendKeyMessage(id: string, body: KeyMessageAsked): Promise<KeyMessageView> {
  return post(pathOf(id), body)
}

/** What such a message calls itself in its record. */
export const MESSAGE_CLIENT = 'tollgate-console-test'

function pathOf(id: string): string {
  return `/api/keys/${encodeURIComponent(id)}/message`
}
